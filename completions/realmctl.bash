#!/bin/bash

__realmctl_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__realmctl_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__realmctl_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__realmctl_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_realmctl() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(-V --version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __realmctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    open|browse|query|summarize|sql|schema|stats|history|diff|hash|export|import|insert|update|delete|compact|migrate|plan|upgrade|downgrade|write-copy|redact|bundle|rm|check|recover|help)
        # Offer subcommand argument completions
        "_realmctl_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'open browse query summarize sql schema stats history diff hash export import insert update delete compact migrate plan upgrade downgrade write-copy redact bundle rm check recover help' -- "${cur}"))
        ;;
    esac
}

_realmctl_open() {
    repeating_flags=()
    non_repeating_flags=(--read-only --in-memory --create --delete-if-migration-needed --allow-exec --allow-data-loss --key-prompt --upgrade --no-backup --allow-damage --dry-run --yes --verify --no-verify --internal --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--only --exclude)
    non_repeating_options=(--schema --schema-version --compact-if --seed-file --plan --on-orphan --on-shared --key-file --key-env --wait --backup --snapshot --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--schema')
        __realmctl_add_completions -o plusdirs -fX '!*.@(json|realm)'
        return
        ;;
    '--schema-version')
        return
        ;;
    '--compact-if')
        return
        ;;
    '--seed-file')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--plan')
        __realmctl_add_completions -o plusdirs -fX '!*.@(yml|yaml|json)'
        return
        ;;
    '--only')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion open -- --only "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exclude')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion open -- --exclude "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--on-orphan')
        __realmctl_add_completions -W 'fail'$'\n''delete'
        return
        ;;
    '--on-shared')
        __realmctl_add_completions -W 'fail'$'\n''duplicate'
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_browse() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --edit --no-backup --allow-damage --internal -h --help)
    repeating_options=()
    non_repeating_options=(--key-file --key-env --wait --backup --schema --snapshot --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--schema')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    *)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion browse -- positional@1 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_realmctl_query() {
    repeating_flags=()
    non_repeating_flags=(--count --exists --keys --backlinks --explain --pretty --no-keys --csv-safe --rql-compat --internal --key-prompt --force --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--sum --min --max --avg --arg)
    non_repeating_options=(--columns --limit --group-by --format --big-ints --links --args --key-file --key-env -o --output --schema --snapshot --work-limit --color)
    __realmctl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--columns')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- --columns "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        return
        ;;
    '--group-by')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- --group-by "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--sum')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- --sum "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--min')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- --min "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--max')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- --max "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--avg')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- --avg "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __realmctl_add_completions -W 'table'$'\n''json'$'\n''ndjson'$'\n''typed'$'\n''typed-ndjson'$'\n''core'$'\n''core-xjson'$'\n''core-xjson+'$'\n''csv'$'\n''tsv'
        return
        ;;
    '--big-ints')
        __realmctl_add_completions -W 'number'$'\n''string'
        return
        ;;
    '--links')
        __realmctl_add_completions -W 'keys'$'\n''inline'$'\n''none'
        return
        ;;
    '--arg')
        return
        ;;
    '--args')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -f
        return
        ;;
    '--schema')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--work-limit')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    2)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- positional@1 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    3)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion query -- positional@2 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_realmctl_summarize() {
    repeating_flags=()
    non_repeating_flags=(--rql-compat --key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--arg)
    non_repeating_options=(--columns --top --bins --args --key-file --key-env --schema --snapshot --work-limit --color)
    __realmctl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--columns')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion summarize -- --columns "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--top')
        return
        ;;
    '--bins')
        return
        ;;
    '--arg')
        return
        ;;
    '--args')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--schema')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--work-limit')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    2)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion summarize -- positional@1 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    3)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion summarize -- positional@2 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_realmctl_sql() {
    repeating_flags=()
    non_repeating_flags=(--internal --temp-files --key-prompt --force --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--format --dates --key-file --key-env -o --output --snapshot --work-limit --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __realmctl_add_completions -W 'table'$'\n''json'$'\n''ndjson'$'\n''csv'$'\n''tsv'
        return
        ;;
    '--dates')
        __realmctl_add_completions -W 'iso'$'\n''unix'$'\n''unix-ms'
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--work-limit')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_schema() {
    repeating_flags=()
    non_repeating_flags=(-h --help)
    repeating_options=()
    non_repeating_options=()
    __realmctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    dump|diff|infer)
        # Offer subcommand argument completions
        "_realmctl_schema_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'dump diff infer' -- "${cur}"))
        ;;
    esac
}

_realmctl_schema_dump() {
    repeating_flags=()
    non_repeating_flags=(--inverses --key-prompt --force --internal --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--only --exclude)
    non_repeating_options=(--format --service --database --key-file --key-env -o --output --snapshot --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __realmctl_add_completions -W 'text'$'\n''json'$'\n''core-json'$'\n''app-services'$'\n''js'$'\n''ts'$'\n''swift'$'\n''objc'$'\n''kotlin'$'\n''java'$'\n''csharp'$'\n''dart'$'\n''mermaid'$'\n''dot'$'\n''sql'$'\n''grdb'$'\n''room'$'\n''swiftdata'
        return
        ;;
    '--service')
        return
        ;;
    '--database')
        return
        ;;
    '--only')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion schema dump -- --only "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exclude')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion schema dump -- --exclude "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm|json)'
        return
        ;;
    esac
}

_realmctl_schema_diff() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--against --key-file --key-env --new-key-file --new-key-env --snapshot --color)
    __realmctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--against')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--new-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--new-key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm|json)'
        return
        ;;
    2)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm|json)'
        return
        ;;
    esac
}

_realmctl_schema_infer() {
    repeating_flags=()
    non_repeating_flags=(--no-header --coerce --key-prompt --force --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--map --type --primary-key --link)
    non_repeating_options=(--from --class --delimiter --columns --null --tables --key-file --key-env -o --output --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        __realmctl_add_completions -W 'json'$'\n''csv'$'\n''tsv'$'\n''sqlite'$'\n''realm'
        return
        ;;
    '--class')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion schema infer -- --class "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--delimiter')
        return
        ;;
    '--columns')
        return
        ;;
    '--null')
        return
        ;;
    '--tables')
        return
        ;;
    '--map')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion schema infer -- --map "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--type')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion schema infer -- --type "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--primary-key')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion schema infer -- --primary-key "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--link')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion schema infer -- --link "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -f
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -f
        return
        ;;
    esac
}

_realmctl_stats() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--by --top --key-file --key-env --snapshot --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--by')
        __realmctl_add_completions -W 'part'$'\n''class'$'\n''property'
        return
        ;;
    '--top')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_history() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--key-file --key-env --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_diff() {
    repeating_flags=()
    non_repeating_flags=(--stat --key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--only --exclude)
    non_repeating_options=(--against --key-file --key-env --new-key-file --new-key-env --snapshot --color)
    __realmctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--against')
        return
        ;;
    '--only')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion diff -- --only "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exclude')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion diff -- --exclude "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--new-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--new-key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    2)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_hash() {
    repeating_flags=()
    non_repeating_flags=(--per-class --no-keys --key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--key-file --key-env --snapshot --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_export() {
    repeating_flags=()
    non_repeating_flags=(--pretty --no-keys --csv-safe --explode --with-schema --no-verify --dry-run --rql-compat --key-prompt --force --internal --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--only --exclude --arg)
    non_repeating_options=(--format --big-ints --links --dates --for --where --args --key-file --key-env -o --output --schema --snapshot --work-limit --color)
    __realmctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __realmctl_add_completions -W 'json'$'\n''ndjson'$'\n''typed'$'\n''typed-ndjson'$'\n''core'$'\n''core-xjson'$'\n''core-xjson+'$'\n''csv'$'\n''tsv'$'\n''sqlite'
        return
        ;;
    '--big-ints')
        __realmctl_add_completions -W 'number'$'\n''string'
        return
        ;;
    '--links')
        __realmctl_add_completions -W 'keys'$'\n''inline'$'\n''none'
        return
        ;;
    '--dates')
        __realmctl_add_completions -W 'iso'$'\n''unix'$'\n''unix-ms'
        return
        ;;
    '--for')
        __realmctl_add_completions -W 'sqlite'$'\n''room'
        return
        ;;
    '--only')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion export -- --only "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exclude')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion export -- --exclude "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--where')
        return
        ;;
    '--arg')
        return
        ;;
    '--args')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -f
        return
        ;;
    '--schema')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--work-limit')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_import() {
    repeating_flags=()
    non_repeating_flags=(--no-header --coerce --create-missing --ignore-unknown --create --create-classes --add-properties --compact --key-prompt --out-key-same --decrypt --keep-mode --upgrade --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--map --match --link --type --primary-key)
    non_repeating_options=(--from --class --delimiter --columns --null --tables --source-key-file --mode --max-errors --rejects --schema --to-version --key-file --key-env --out-key-file --out-key-env --wait --backup -o --output --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        __realmctl_add_completions -W 'json'$'\n''csv'$'\n''tsv'$'\n''sqlite'$'\n''realm'
        return
        ;;
    '--class')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion import -- --class "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--delimiter')
        return
        ;;
    '--columns')
        return
        ;;
    '--null')
        return
        ;;
    '--tables')
        return
        ;;
    '--map')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion import -- --map "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--source-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--mode')
        __realmctl_add_completions -W 'insert'$'\n''upsert'$'\n''replace'$'\n''skip'$'\n''delete'
        return
        ;;
    '--match')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion import -- --match "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--link')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion import -- --link "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--max-errors')
        return
        ;;
    '--rejects')
        __realmctl_add_completions -f
        return
        ;;
    '--schema')
        __realmctl_add_completions -f
        return
        ;;
    '--to-version')
        return
        ;;
    '--type')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion import -- --type "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--primary-key')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion import -- --primary-key "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    *)
        __realmctl_add_completions -f
        return
        ;;
    esac
}

_realmctl_insert() {
    repeating_flags=()
    non_repeating_flags=(--compact --key-prompt --out-key-same --decrypt --keep-mode --upgrade --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--also)
    non_repeating_options=(--object --expect --show --key-file --key-env --out-key-file --out-key-env --wait --backup -o --output --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--object')
        return
        ;;
    '--also')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--expect')
        return
        ;;
    '--show')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    2)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion insert -- positional@1 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_realmctl_update() {
    repeating_flags=()
    non_repeating_flags=(--all --compact --yes --key-prompt --out-key-same --decrypt --keep-mode --upgrade --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--set --add --remove --unset --also)
    non_repeating_options=(--expect --show --key-file --key-env --out-key-file --out-key-env --wait --backup -o --output --color)
    __realmctl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--set')
        return
        ;;
    '--add')
        return
        ;;
    '--remove')
        return
        ;;
    '--unset')
        return
        ;;
    '--also')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--expect')
        return
        ;;
    '--show')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    2)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion update -- positional@1 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_realmctl_delete() {
    repeating_flags=()
    non_repeating_flags=(--all --compact --yes --key-prompt --out-key-same --decrypt --keep-mode --upgrade --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--also)
    non_repeating_options=(--expect --show --key-file --key-env --out-key-file --out-key-env --wait --backup -o --output --color)
    __realmctl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--also')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--expect')
        return
        ;;
    '--show')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    2)
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion delete -- positional@1 "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_realmctl_compact() {
    repeating_flags=()
    non_repeating_flags=(--rebuild --key-prompt --out-key-same --decrypt --keep-mode --upgrade --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--if -o --output --key-file --key-env --out-key-file --out-key-env --wait --backup --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--if')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_migrate() {
    repeating_flags=()
    non_repeating_flags=(--allow-exec --init --compact --allow-data-loss --key-prompt --out-key-same --decrypt --keep-mode --upgrade --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--rename --convert --set --where --delete-class)
    non_repeating_options=(--plan --schema --to-version --show --report-format --restore-backups --on-orphan --on-shared --key-file --key-env --out-key-file --out-key-env --wait --backup -o --output --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--plan')
        __realmctl_add_completions -o plusdirs -fX '!*.@(yml|yaml|json)'
        return
        ;;
    '--rename')
        return
        ;;
    '--convert')
        return
        ;;
    '--set')
        return
        ;;
    '--where')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion migrate -- --where "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--delete-class')
        return
        ;;
    '--schema')
        __realmctl_add_completions -o plusdirs -fX '!*.@(json|realm)'
        return
        ;;
    '--to-version')
        return
        ;;
    '--show')
        return
        ;;
    '--report-format')
        __realmctl_add_completions -W 'text'$'\n''json'
        return
        ;;
    '--restore-backups')
        __realmctl_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--on-orphan')
        __realmctl_add_completions -W 'fail'$'\n''delete'
        return
        ;;
    '--on-shared')
        __realmctl_add_completions -W 'fail'$'\n''duplicate'
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_plan() {
    repeating_flags=()
    non_repeating_flags=(-h --help)
    repeating_options=()
    non_repeating_options=()
    __realmctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    new|check)
        # Offer subcommand argument completions
        "_realmctl_plan_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'new check' -- "${cur}"))
        ;;
    esac
}

_realmctl_plan_new() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --force --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--schema --to-version --key-file --key-env -o --output --snapshot --color)
    __realmctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--schema')
        __realmctl_add_completions -o plusdirs -fX '!*.@(json|realm)'
        return
        ;;
    '--to-version')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_plan_check() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--key-file --key-env --color)
    __realmctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(yml|yaml|json)'
        return
        ;;
    2)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_upgrade() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --out-key-same --decrypt --keep-mode --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--key-file --key-env --out-key-file --out-key-env --wait --backup -o --output --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_downgrade() {
    repeating_flags=()
    non_repeating_flags=(--allow-data-loss --key-prompt --out-key-same --decrypt --keep-mode --no-backup --allow-damage --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--as)
    non_repeating_options=(--file-format --key-file --key-env --out-key-file --out-key-env --wait --backup -o --output --color)
    __realmctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--file-format')
        __realmctl_add_completions -W '10'$'\n''11'$'\n''20'$'\n''22'$'\n''23'
        return
        ;;
    '--as')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion downgrade -- --as "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--wait')
        return
        ;;
    '--backup')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_write-copy() {
    repeating_flags=()
    non_repeating_flags=(--with-links --no-internal --allow-data-loss --rebuild --key-prompt --out-key-same --decrypt --keep-mode --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--only --exclude --where --as)
    non_repeating_options=(--file-format --redact --redact-key-file --key-file --key-env --out-key-file --out-key-env --snapshot --color)
    __realmctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--only')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion write-copy -- --only "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exclude')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion write-copy -- --exclude "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--where')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion write-copy -- --where "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--file-format')
        __realmctl_add_completions -W '10'$'\n''11'$'\n''20'$'\n''22'$'\n''23'$'\n''24'
        return
        ;;
    '--as')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion write-copy -- --as "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--redact')
        __realmctl_add_completions -o plusdirs -fX '!*.@(yml|yaml|json)'
        return
        ;;
    '--redact-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    2)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_redact() {
    repeating_flags=()
    non_repeating_flags=(-h --help)
    repeating_options=()
    non_repeating_options=()
    __realmctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    new|check)
        # Offer subcommand argument completions
        "_realmctl_redact_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'new check' -- "${cur}"))
        ;;
    esac
}

_realmctl_redact_new() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --force --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--key-file --key-env -o --output --snapshot --color)
    __realmctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '-o'|'--output')
        __realmctl_add_completions -f
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_redact_check() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--key-file --key-env --snapshot --color)
    __realmctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(yml|yaml|json)'
        return
        ;;
    2)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_bundle() {
    repeating_flags=()
    non_repeating_flags=(--keep-keys --create-classes --no-header --coerce --create-missing --ignore-unknown --with-links --no-internal --allow-data-loss --key-prompt --out-key-same --decrypt --keep-mode --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--data --map --match --link --type --primary-key --only --exclude --where --expect --as)
    non_repeating_options=(--seed --schema --data-key-file --from --class --delimiter --columns --null --tables --mode --max-errors --rejects --schema-version --expect-schema --file-format --key-file --key-env --out-key-file --out-key-env --snapshot --color)
    __realmctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--seed')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--schema')
        __realmctl_add_completions -f
        return
        ;;
    '--data')
        __realmctl_add_completions -f
        return
        ;;
    '--data-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--from')
        __realmctl_add_completions -W 'json'$'\n''csv'$'\n''tsv'$'\n''sqlite'$'\n''realm'
        return
        ;;
    '--class')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --class "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--delimiter')
        return
        ;;
    '--columns')
        return
        ;;
    '--null')
        return
        ;;
    '--tables')
        return
        ;;
    '--map')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --map "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--mode')
        __realmctl_add_completions -W 'insert'$'\n''upsert'$'\n''replace'$'\n''skip'$'\n''delete'
        return
        ;;
    '--match')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --match "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--link')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --link "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--max-errors')
        return
        ;;
    '--rejects')
        __realmctl_add_completions -f
        return
        ;;
    '--type')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --type "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--primary-key')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --primary-key "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--only')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --only "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exclude')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --exclude "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--where')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --where "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--schema-version')
        return
        ;;
    '--expect-schema')
        __realmctl_add_completions -f
        return
        ;;
    '--expect')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --expect "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--file-format')
        __realmctl_add_completions -W '10'$'\n''11'$'\n''20'$'\n''22'$'\n''23'$'\n''24'
        return
        ;;
    '--as')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion bundle -- --as "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_rm() {
    repeating_flags=()
    non_repeating_flags=(--backups --yes --dry-run --key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--wait --key-file --key-env --color)
    __realmctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--wait')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_check() {
    repeating_flags=()
    non_repeating_flags=(--key-prompt --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=()
    non_repeating_options=(--limit --key-file --key-env --snapshot --color)
    __realmctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--limit')
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_recover() {
    repeating_flags=()
    non_repeating_flags=(--deleted --key-prompt --out-key-same --decrypt --keep-mode --force --dry-run --verify --no-verify --json --quiet -q --verbose -v --progress --strict -h --help)
    repeating_options=(--only --exclude)
    non_repeating_options=(-o --output --policy --report --strings --key-file --key-env --out-key-file --out-key-env --snapshot --color)
    __realmctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    '--only')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion recover -- --only "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exclude')
        __realmctl_add_completions -W "$(__realmctl_custom_complete ---completion recover -- --exclude "${COMP_CWORD}" "$(__realmctl_cursor_index_in_current_word)")"
        return
        ;;
    '--policy')
        __realmctl_add_completions -W 'trusted'$'\n''all'
        return
        ;;
    '--report')
        __realmctl_add_completions -f
        return
        ;;
    '--strings')
        __realmctl_add_completions -f
        return
        ;;
    '--key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--key-env')
        return
        ;;
    '--out-key-file')
        __realmctl_add_completions -f
        return
        ;;
    '--out-key-env')
        return
        ;;
    '--snapshot')
        return
        ;;
    '--color')
        __realmctl_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __realmctl_add_completions -o plusdirs -fX '!*.@(realm)'
        return
        ;;
    esac
}

_realmctl_help() {
    :
}

complete -o filenames -F _realmctl realmctl
