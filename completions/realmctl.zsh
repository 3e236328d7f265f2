#compdef realmctl

__realmctl_complete() {
    local -ar non_empty_completions=("${@:#(|:*)}")
    local -ar empty_completions=("${(M)@:#(|:*)}")
    _describe -V '' non_empty_completions -- empty_completions -P $'\'\''
}

__realmctl_custom_complete() {
    local -a completions
    completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")
    if [[ "${#completions[@]}" -gt 1 ]]; then
        __realmctl_complete "${completions[@]:0:-1}"
    fi
}

__realmctl_cursor_index_in_current_word() {
    if [[ -z "${QIPREFIX}${IPREFIX}${PREFIX}" ]]; then
        printf 0
    else
        printf %s "${#${(z)LBUFFER}[-1]}"
    fi
}

_realmctl() {
    emulate -RL zsh -G
    setopt extendedglob nullglob numericglobsort
    unsetopt aliases banghist

    local -xr SAP_SHELL=zsh
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(builtin emulate zsh -c 'printf %s "${ZSH_VERSION}"')"
    local -r SAP_SHELL_VERSION

    local context state state_descr line
    local -A opt_args

    local -r command_name="${words[1]}"
    local -ar command_line=("${words[@]}")
    local -ir current_word_index="$((CURRENT - 1))"

    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'open:Tell what a realm is and what is in it; or open it as an app'\''s launch would.'
            'schema:Show the schema of a realm, or what differs between two.'
            'browse:Look around in a realm: classes, objects, links and backlinks.'
            'export:Print the objects of a realm as JSON, NDJSON, CSV or TSV.'
            'check:Check every invariant of a realm: space, nodes, values, trees, tables, links, indexes, history.'
            'compact:Rewrite a realm without its free space, in place or to another file.'
            'migrate:Bring a realm to another schema and a higher schema version.'
            'upgrade:Bring a realm of an older file format to format 24.'
            'write-copy:Write a compacted copy of a realm: with another key, decrypted, or with some classes only.'
            'bundle:Make a seed file for an app from a realm, or from a schema and JSON data.'
            'recover:Save what can be read of a damaged realm into a new one.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        open|schema|browse|export|check|compact|migrate|upgrade|write-copy|bundle|recover|help)
            "_realmctl_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_realmctl_open() {
    local -i ret=1
    local -ar ___on_orphan=('fail' 'delete')
    local -ar ___on_shared=('fail' 'duplicate')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--read-only[Open as a read-only configuration does\: nothing is locked or changed; the file must be of format 24.]'
        '--in-memory[Do everything to a copy in memory, and leave nothing of it.]'
        '--schema[The schema to open with\: a file as '\''schema dump --format json'\'' writes it, or a realm.]:path:_files -g '\''*.json *.realm'\'''
        '--schema-version[The version of that schema; the stored one unless given.]:number:'
        '--delete-if-migration-needed[Where a migration would be needed, replace the realm with an empty one instead. All its data is lost; the old file is kept beside it unless --no-backup is given.]'
        '--compact-if[Compact first where this holds of total, used and free, e.g. '\''total > 100MB && used < total / 2'\''.]:expr:'
        '--seed[Where FILE is missing, begin with a copy of this realm.]:seed:_files -g '\''*.realm'\'''
        '*--only[Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.]:classes:'
        '*--exclude[All classes but these. May be repeated.]:classes:'
        '--allow-data-loss[Go on where data is lost\: values of properties that are removed, get another type or become required, and objects without a parent whose class becomes embedded.]'
        '--on-orphan[What becomes of objects without a parent when their class becomes embedded\: fail, or delete. With --allow-data-loss they are deleted unless this says fail.]:what:{__realmctl_complete "${___on_orphan[@]}"}'
        '--on-shared[What becomes of objects with several parents when their class becomes embedded\: fail, or duplicate.]:what:{__realmctl_complete "${___on_shared[@]}"}'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--upgrade[Let a file of an older format be brought to format 24 in place. A backup is kept beside it.]'
        '--wait[Wait so long for a file that is in use; 0 unless given.]:seconds:'
        '--backup[Where the backup goes; beside the file unless given.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Keep no backup.]'
        '--dry-run[Check everything and report what would be done, but write nothing.]'
        '--yes[Ask no question before a realm is deleted.]'
        '--verify[Prove that free space is free before a change, and compare what was rewritten.]'
        '--no-verify[Prove that free space is free before a change, and compare what was rewritten.]'
        '--internal[Include the tables that are no classes, such as the one with the schema version.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_schema() {
    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'dump:Print the schema of a realm: as a listing, JSON, model classes, SQL or a diagram.'
            'diff:Tell what would have to be migrated from one schema to another, in the SDKs'\'' words.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        dump|diff)
            "_realmctl_schema_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_realmctl_schema_dump() {
    local -i ret=1
    local -ar ___format=('text' 'json' 'core-json' 'app-services' 'js' 'ts' 'swift' 'kotlin' 'java' 'csharp' 'dart' 'mermaid' 'dot' 'sql')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--format[What to write.]:format:{__realmctl_complete "${___format[@]}"}'
        '--service[The data source that relationships name (app-services).]:name:'
        '--database[The database that relationships name (app-services).]:name:'
        '*--only[Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.]:classes:'
        '*--exclude[All classes but these. May be repeated.]:classes:'
        '--internal[Include the tables that are no classes, such as the one with the schema version.]'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output. It appears when it is complete; on an error or Ctrl-C nothing is left behind.]:path:_files'
        '--force[Replace the output if it exists.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_schema_diff() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':a:_files -g '\''*.realm *.json'\'''
        ':b:_files -g '\''*.realm *.json'\'''
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_browse() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':class:'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--internal[Include the tables that are no classes, such as the one with the schema version.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_export() {
    local -i ret=1
    local -ar ___format=('json' 'ndjson' 'typed' 'typed-ndjson' 'core' 'core-xjson' 'core-xjson+' 'csv' 'tsv')
    local -ar ___big_ints=('number' 'string')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--format[What to write.]:format:{__realmctl_complete "${___format[@]}"}'
        '--pretty[Indent the JSON (json).]'
        '--big-ints[Write integers beyond 2^53, which JavaScript would round, as number or string (json, ndjson).]:how:{__realmctl_complete "${___big_ints[@]}"}'
        '--no-keys[Leave out _key, the object key of objects without a primary key (json, ndjson, csv, tsv).]'
        '--links[Write links as keys, as objects down to a depth (inline, inline\:2, ...), or none (json, ndjson).]:how:'
        '--explode[Write a file of its own for each list, set and dictionary, one row per element (csv, tsv).]'
        '*--only[Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.]:classes:'
        '*--exclude[All classes but these. May be repeated.]:classes:'
        '--internal[Include the tables that are no classes, such as the one with the schema version.]'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output. It appears when it is complete; on an error or Ctrl-C nothing is left behind.]:path:_files'
        '--force[Replace the output if it exists.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_check() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--limit[Findings of one kind that are shown; all are counted.]:number:'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_compact() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--if[Compact only where this holds.]:expr:'
        '(-o --output)'{-o,--output}'[Write to another file and leave this one alone; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--rebuild[Build the realm from its objects, with all indexes and backlinks made new; the history starts again.]'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--out-key-file[Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.]:path:_files'
        '--out-key-env[Encrypt what is written with the key in an environment variable.]:name:'
        '--out-key-same[Encrypt what is written with the key of the source.]'
        '--decrypt[Write an encrypted source as a plain file.]'
        '--upgrade[Let a file of an older format be brought to format 24 in place. A backup is kept beside it.]'
        '--wait[Wait so long for a file that is in use; 0 unless given.]:seconds:'
        '--backup[Where the backup goes; beside the file unless given.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Keep no backup.]'
        '--force[Replace the output if it exists and no app has it open.]'
        '--dry-run[Check everything and report, but write nothing.]'
        '--verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--no-verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_migrate() {
    local -i ret=1
    local -ar ___report=('text' 'json')
    local -ar ___on_orphan=('fail' 'delete')
    local -ar ___on_shared=('fail' 'duplicate')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--schema[The schema to arrive at\: a file as '\''schema dump --format json'\'' writes it, or a realm.]:path:_files -g '\''*.json *.realm'\'''
        '--to-version[The schema version to arrive at.]:number:'
        '--compact[Compact the realm in the same step, so that removed values are gone from the file.]'
        '--report[How to report\: text or json.]:form:{__realmctl_complete "${___report[@]}"}'
        '--allow-data-loss[Go on where data is lost\: values of properties that are removed, get another type or become required, and objects without a parent whose class becomes embedded.]'
        '--on-orphan[What becomes of objects without a parent when their class becomes embedded\: fail, or delete. With --allow-data-loss they are deleted unless this says fail.]:what:{__realmctl_complete "${___on_orphan[@]}"}'
        '--on-shared[What becomes of objects with several parents when their class becomes embedded\: fail, or duplicate.]:what:{__realmctl_complete "${___on_shared[@]}"}'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--out-key-file[Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.]:path:_files'
        '--out-key-env[Encrypt what is written with the key in an environment variable.]:name:'
        '--out-key-same[Encrypt what is written with the key of the source.]'
        '--decrypt[Write an encrypted source as a plain file.]'
        '--upgrade[Let a file of an older format be brought to format 24 in place. A backup is kept beside it.]'
        '--wait[Wait so long for a file that is in use; 0 unless given.]:seconds:'
        '--backup[Where the backup goes; beside the file unless given.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Keep no backup.]'
        '(-o --output)'{-o,--output}'[Write the result to another file, and leave this one alone.]:path:_files -g '\''*.realm'\'''
        '--force[Replace the output if it exists and no app has it open.]'
        '--dry-run[Check everything and report, but write nothing.]'
        '--verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--no-verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_upgrade() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--out-key-file[Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.]:path:_files'
        '--out-key-env[Encrypt what is written with the key in an environment variable.]:name:'
        '--out-key-same[Encrypt what is written with the key of the source.]'
        '--decrypt[Write an encrypted source as a plain file.]'
        '--wait[Wait so long for a file that is in use; 0 unless given.]:seconds:'
        '--backup[Where the backup goes; beside the file unless given.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Keep no backup.]'
        '(-o --output)'{-o,--output}'[Write the result to another file, and leave this one alone.]:path:_files -g '\''*.realm'\'''
        '--force[Replace the output if it exists and no app has it open.]'
        '--dry-run[Check everything and report, but write nothing.]'
        '--verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--no-verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_write-copy() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':dest:_files -g '\''*.realm'\'''
        '*--only[Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.]:classes:'
        '*--exclude[All classes but these. May be repeated.]:classes:'
        '--no-internal[Leave out the tables that are no classes, except for the one with the schema version.]'
        '--allow-data-loss[Leave out properties that link to classes left out, and make such links in mixed values null; both are counted.]'
        '--rebuild[Build the copy from the objects, with all indexes and backlinks made new.]'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--out-key-file[Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.]:path:_files'
        '--out-key-env[Encrypt what is written with the key in an environment variable.]:name:'
        '--out-key-same[Encrypt what is written with the key of the source.]'
        '--decrypt[Write an encrypted source as a plain file.]'
        '--force[Replace the output if it exists and no app has it open.]'
        '--dry-run[Check everything and report, but write nothing.]'
        '--verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--no-verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_bundle() {
    local -i ret=1
    local -ar ___on_duplicate=('fail' 'keep-first' 'keep-last')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--seed[The seed to write; - writes it to standard output.]:path:_files -g '\''*.realm'\'''
        '--schema[The schema\: a schema file, or a realm.]:path:_files'
        '*--data[The data\: JSON of a form that '\''export'\'' writes; - for standard input. May be repeated.]:path:_files'
        '--class[The class of objects that do not tell it.]:class:'
        '--keep-keys[Objects keep the object keys that the data gives, which must ascend within each class.]'
        '--ignore-unknown[Pass over members that the schema does not have.]'
        '--coerce[Read texts as numbers and booleans where the schema has those.]'
        '--upsert[An object whose primary key came before changes that object, instead of being an error.]'
        '--on-duplicate[What becomes of objects that have the primary key of another\: fail, keep-first or keep-last.]:what:{__realmctl_complete "${___on_duplicate[@]}"}'
        '*--only[Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.]:classes:'
        '*--exclude[All classes but these. May be repeated.]:classes:'
        '--no-internal[Leave out the tables that are no classes, except for the one with the schema version.]'
        '--allow-data-loss[Leave out properties that link to classes left out, and make such links in mixed values null; both are counted.]'
        '--schema-version[The schema version to store; the source'\''s own unless given.]:number:'
        '--expect-schema[A schema file or realm whose classes the seed should have; warn of each that it has not.]:path:_files'
        '*--expect[Write the seed only if a class has so many objects, e.g. '\''City = 100'\'' or '\''City > 0'\''. May be repeated.]:count:'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--out-key-file[Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.]:path:_files'
        '--out-key-env[Encrypt what is written with the key in an environment variable.]:name:'
        '--out-key-same[Encrypt what is written with the key of the source.]'
        '--decrypt[Write an encrypted source as a plain file.]'
        '--force[Replace the output if it exists and no app has it open.]'
        '--dry-run[Check everything and report, but write nothing.]'
        '--verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--no-verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_recover() {
    local -i ret=1
    local -ar ___policy=('trusted' 'all')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '(-o --output)'{-o,--output}'[The new realm; - writes it to standard output.]:path:_files -g '\''*.realm'\'''
        '*--only[Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.]:classes:'
        '--policy[What to save\: trusted leaves out values that something in the file contradicts, all keeps them.]:what:{__realmctl_complete "${___policy[@]}"}'
        '--deleted[Also save objects that were deleted, as far as they are still in the file.]'
        '--report[Write what is lost or doubtful, object by object, to a file (NDJSON).]:path:_files'
        '--strings[Write texts that belong to no object any more to a file (NDJSON).]:path:_files'
        '--key-file[Read the encryption key from a file, or from standard input (-)\: 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.]:path:_files'
        '--key-env[Take the key from an environment variable\: hex digits, Base64 or a JSON array.]:name:'
        '--key-prompt[Ask for the key on the terminal; what is typed does not show.]'
        '--out-key-file[Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.]:path:_files'
        '--out-key-env[Encrypt what is written with the key in an environment variable.]:name:'
        '--out-key-same[Encrypt what is written with the key of the source.]'
        '--decrypt[Write an encrypted source as a plain file.]'
        '--force[Replace the output if it exists and no app has it open.]'
        '--dry-run[Check everything and report, but write nothing.]'
        '--verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--no-verify[Read what was written again and compare it before it appears; not possible for standard output and devices.]'
        '--json[Print facts as JSON; errors and warnings become JSON objects on standard error.]'
        '(--quiet -q)'{--quiet,-q}'[Leave out warnings and what was done; errors are always shown.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: what was done, and how it went.]'
        '--color[When to use colour; auto\: on a terminal, unless NO_COLOR is set.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Count warnings as findings\: status 1 instead of 0.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_help() {
    local -i ret=1
    local -ar arg_specs=(
        '*:subcommands:'
        '--version[Show the version.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

if [[ "${funcstack[1]}" = _realmctl ]]; then
    _realmctl "${@}"
else
    compdef _realmctl realmctl
fi
