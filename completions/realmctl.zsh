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
        '(-V --version)'{-V,--version}'[Show the version; with --json as JSON.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'open:Show what a realm file contains.'
            'browse:Browse a realm in the terminal, and edit it.'
            'query:Find the objects of a class that match a query.'
            'summarize:Summarize the values of each property of a class.'
            'sql:Run SQL queries on a realm.'
            'schema:Print, compare or infer schemas.'
            'stats:Show what takes up the space in a realm file.'
            'history:List the snapshots in a realm file, and what changed between them.'
            'diff:Compare the contents of two realms, or of two snapshots of one.'
            'hash:Print a hash of the contents of realms, whatever their layout.'
            'export:Export objects as JSON, CSV or a SQLite database.'
            'import:Import objects from JSON, CSV, SQLite or a realm.'
            'insert:Insert objects.'
            'update:Change values of objects.'
            'delete:Delete objects.'
            'compact:Rewrite a realm without its free space.'
            'migrate:Change the schema of a realm, by a plan or to a target schema.'
            'plan:Draft and check migration plans.'
            'upgrade:Convert a realm to file format 24.'
            'downgrade:Convert a realm to an older file format.'
            'write-copy:Write a compacted copy of a realm, optionally with another key or fewer classes.'
            'redact:Draft and check rules for redacted copies.'
            'bundle:Create a seed file for an app, from a realm, data or both.'
            'rm:Delete a realm with the files that belong to it.'
            'check:Check a realm for damage.'
            'recover:Save what can be read of a damaged realm into a new one.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        open|browse|query|summarize|sql|schema|stats|history|diff|hash|export|import|insert|update|delete|compact|migrate|plan|upgrade|downgrade|write-copy|redact|bundle|rm|check|recover|help)
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
        '--read-only[Open read-only, as an app would; needs file format 24.]'
        '--in-memory[Open a copy in memory; no file is written.]'
        '--schema[Schema to open with\: a schema file or a realm.]:path:_files -g '\''*.json *.realm'\'''
        '--schema-version[Schema version; by default that of the schema, or 0.]:number:'
        '--create[Create FILE if it does not exist; needs --schema.]'
        '--delete-if-migration-needed[Instead of migrating, delete all data and start empty.]'
        '--compact-if[Compact if EXPR is true, such as '\''free > 100MiB'\''.]:expr:'
        '--seed-file[Realm to copy if FILE does not exist.]:path:_files -g '\''*.realm'\'''
        '--plan[Migration plan in YAML or JSON; see realmctl-plan(5).]:path:_files -g '\''*.yml *.yaml *.json'\'''
        '--allow-exec[Let the plan run external commands (transform).]'
        '*--only[Only these classes, such as Person,Dog; repeatable.]:classes:{__realmctl_custom_complete ---completion open -- --only "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--exclude[All classes except these; repeatable.]:classes:{__realmctl_custom_complete ---completion open -- --exclude "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--allow-data-loss[Migrate even if values or objects are lost.]'
        '--on-orphan[What to do with parentless objects when embedding a class.]:action:{__realmctl_complete "${___on_orphan[@]}"}'
        '--on-shared[What to do with shared objects when embedding a class.]:action:{__realmctl_complete "${___on_shared[@]}"}'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--upgrade[Convert an older file format to 24 first; keeps a backup.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--yes[Do not ask for confirmation before deleting data.]'
        '--verify[Verify free space and the result (default), or skip this.]'
        '--no-verify[Verify free space and the result (default), or skip this.]'
        '--internal[Include internal tables.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
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
        '*:class|file:{__realmctl_custom_complete ---completion browse -- positional@1 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--edit[Turn editing on; nothing is written before \:w.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '--internal[Include internal tables.]'
        '--schema[Schema file with inverse relationships to use in queries.]:path:_files'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_query() {
    local -i ret=1
    local -ar ___format=('table' 'json' 'ndjson' 'typed' 'typed-ndjson' 'core' 'core-xjson' 'core-xjson+' 'csv' 'tsv')
    local -ar ___big_ints=('number' 'string')
    local -ar ___links=('keys' 'inline' 'none')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':class:{__realmctl_custom_complete ---completion query -- positional@1 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        ':rql:{__realmctl_custom_complete ---completion query -- positional@2 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--columns[Properties or key paths, such as name,city.name.]:paths:{__realmctl_custom_complete ---completion query -- --columns "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--limit[Maximum number of objects or groups to show; by default all.]:number:'
        '--count[Print how many objects match.]'
        '--exists[Print nothing; exit with status 1 if no object matches.]'
        '--keys[Print object keys, one per line.]'
        '--group-by[Count objects by key paths, such as city.name,active.]:paths:{__realmctl_custom_complete ---completion query -- --group-by "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--sum[Sum of a key path, in each group; repeatable.]:path:{__realmctl_custom_complete ---completion query -- --sum "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--min[Smallest value of a key path, in each group; repeatable.]:path:{__realmctl_custom_complete ---completion query -- --min "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--max[Largest value of a key path, in each group; repeatable.]:path:{__realmctl_custom_complete ---completion query -- --max "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--avg[Average of a key path, in each group; repeatable.]:path:{__realmctl_custom_complete ---completion query -- --avg "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--backlinks[Show the links to each object, by class and property.]'
        '--explain[Print how the query runs.]'
        '--format[Output format; by default from -o, else table or ndjson.]:format:{__realmctl_complete "${___format[@]}"}'
        '--pretty[Indent the JSON (json).]'
        '--big-ints[Integers of 2^53 or more\: number or string (json, ndjson).]:form:{__realmctl_complete "${___big_ints[@]}"}'
        '--no-keys[Leave out _key, the object key (json, ndjson, csv, tsv).]'
        '--links[Links\: keys, inline, inline\:DEPTH or none (json, ndjson).]:links:{__realmctl_complete "${___links[@]}"}'
        '--csv-safe[Put '\'' before text that a spreadsheet would run (csv, tsv).]'
        '*--arg[Value for $0, then $1 and so on; repeatable.]:value:'
        '--args[Values for $0, $1 and so on, as a JSON array.]:json:'
        '--rql-compat[Match Realm Core'\''s results, bugs included.]'
        '--internal[Query an internal table instead of a class.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output.]:path:_files'
        '--force[Replace an existing output.]'
        '--schema[Schema file with inverse relationships to use in queries.]:path:_files'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--work-limit[Maximum amount of data to read through links.]:size:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_summarize() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':class:{__realmctl_custom_complete ---completion summarize -- positional@1 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        ':rql:{__realmctl_custom_complete ---completion summarize -- positional@2 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--columns[Properties or key paths, such as name,city.name.]:paths:{__realmctl_custom_complete ---completion summarize -- --columns "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--top[Most frequent values to show.]:number:'
        '--bins[Show distributions in about this many ranges.]:number:'
        '*--arg[Value for $0, then $1 and so on; repeatable.]:value:'
        '--args[Values for $0, $1 and so on, as a JSON array.]:json:'
        '--rql-compat[Match Realm Core'\''s results, bugs included.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--schema[Schema file with inverse relationships to use in queries.]:path:_files'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--work-limit[Maximum amount of data to read through links.]:size:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_sql() {
    local -i ret=1
    local -ar ___format=('table' 'json' 'ndjson' 'csv' 'tsv')
    local -ar ___dates=('iso' 'unix' 'unix-ms')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '*:statement:'
        '--format[Output format; by default from -o, else table or ndjson.]:format:{__realmctl_complete "${___format[@]}"}'
        '--dates[How to write dates.]:form:{__realmctl_complete "${___dates[@]}"}'
        '--internal[Include internal tables.]'
        '--temp-files[Allow temporary files for an encrypted realm.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output.]:path:_files'
        '--force[Replace an existing output.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--work-limit[Maximum amount of data to read through links.]:size:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_schema() {
    local -i ret=1
    local -ar arg_specs=(
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'dump:Print the schema as text, JSON, model classes, SQL or a diagram.'
            'diff:Compare two schemas.'
            'infer:Print a schema that fits the data in JSON, CSV, SQLite or realms.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        dump|diff|infer)
            "_realmctl_schema_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_realmctl_schema_dump() {
    local -i ret=1
    local -ar ___format=('text' 'json' 'core-json' 'app-services' 'js' 'ts' 'swift' 'objc' 'kotlin' 'java' 'csharp' 'dart' 'mermaid' 'dot' 'sql' 'grdb' 'room' 'swiftdata')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm *.json'\'''
        '--format[Output format; by default from the extension of -o, or text.]:format:{__realmctl_complete "${___format[@]}"}'
        '--inverses[Add an inverse relationship for each link to a class.]'
        '--service[Data source (app-services); by default mongodb-atlas.]:name:'
        '--database[Database (app-services); by default database.]:name:'
        '*--only[Only these classes, such as Person,Dog; repeatable.]:classes:{__realmctl_custom_complete ---completion schema dump -- --only "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--exclude[All classes except these; repeatable.]:classes:{__realmctl_custom_complete ---completion schema dump -- --exclude "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output.]:path:_files'
        '--force[Replace an existing output.]'
        '--internal[Include internal tables.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
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
        '--against[Older snapshot to compare with\: previous, or a byte offset.]:snapshot:'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--new-key-file[Key file for the newer realm; forms as for --key-file.]:path:_files'
        '--new-key-env[Environment variable with the key for the newer realm.]:name:'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_schema_infer() {
    local -i ret=1
    local -ar ___from=('json' 'csv' 'tsv' 'sqlite' 'realm')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:source:_files'
        '--from[Source format; by default from the extension or content.]:format:{__realmctl_complete "${___from[@]}"}'
        '--class[Class of objects that do not name one.]:class:{__realmctl_custom_complete ---completion schema infer -- --class "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--delimiter[CSV separator; by default a comma. \\t means a tab.]:character:'
        '--no-header[The first line is data; --columns names the columns.]'
        '--columns[Names of the columns, separated by commas.]:names:'
        '--null[Text that means null in CSV, such as '\''\\N'\''.]:text:'
        '--coerce[Accept strings for numbers and booleans in JSON.]'
        '--tables[Tables to read from a SQLite database, separated by commas.]:tables:'
        '*--map[Class for a SQLite table\: table=Class; repeatable.]:names:{__realmctl_custom_complete ---completion schema infer -- --map "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--type[Type of a new property\: Class.property=TYPE; repeatable.]:type:{__realmctl_custom_complete ---completion schema infer -- --type "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--primary-key[Primary key of a new class\: Class.property; repeatable.]:property:{__realmctl_custom_complete ---completion schema infer -- --primary-key "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--link[Find targets by a property\: Dog.owner=Person.id; repeatable.]:link:{__realmctl_custom_complete ---completion schema infer -- --link "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output.]:path:_files'
        '--force[Replace an existing output.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_stats() {
    local -i ret=1
    local -ar ___by=('part' 'class' 'property')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--by[How to group the rows.]:group:{__realmctl_complete "${___by[@]}"}'
        '--top[Rows to show; a last row totals the rest.]:number:'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_history() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_diff() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':a:_files -g '\''*.realm'\'''
        ':b:_files -g '\''*.realm'\'''
        '--against[Older snapshot to compare with\: previous, or a byte offset.]:snapshot:'
        '--stat[Show only object counts.]'
        '*--only[Only these classes, such as Person,Dog; repeatable.]:classes:{__realmctl_custom_complete ---completion diff -- --only "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--exclude[All classes except these; repeatable.]:classes:{__realmctl_custom_complete ---completion diff -- --exclude "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--new-key-file[Key file for the newer realm; forms as for --key-file.]:path:_files'
        '--new-key-env[Environment variable with the key for the newer realm.]:name:'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_hash() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--per-class[Also print one hash per class.]'
        '--no-keys[Leave out object keys, unless links need them.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_export() {
    local -i ret=1
    local -ar ___format=('json' 'ndjson' 'typed' 'typed-ndjson' 'core' 'core-xjson' 'core-xjson+' 'csv' 'tsv' 'sqlite')
    local -ar ___big_ints=('number' 'string')
    local -ar ___links=('keys' 'inline' 'none')
    local -ar ___dates=('iso' 'unix' 'unix-ms')
    local -ar ___for=('sqlite' 'room')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--format[Output format; by default from the extension of -o, or json.]:format:{__realmctl_complete "${___format[@]}"}'
        '--pretty[Indent the JSON (json).]'
        '--big-ints[Integers of 2^53 or more\: number or string (json, ndjson).]:form:{__realmctl_complete "${___big_ints[@]}"}'
        '--no-keys[Leave out _key, the object key (json, ndjson, csv, tsv).]'
        '--links[Links\: keys, inline, inline\:DEPTH or none (json, ndjson).]:links:{__realmctl_complete "${___links[@]}"}'
        '--csv-safe[Put '\'' before text that a spreadsheet would run (csv, tsv).]'
        '--explode[Write one file for each table of the SQLite form (csv, tsv).]'
        '--dates[How to write dates (sqlite, --explode); by default iso.]:form:{__realmctl_complete "${___dates[@]}"}'
        '--for[Program that opens the database (sqlite); by default sqlite.]:program:{__realmctl_complete "${___for[@]}"}'
        '--with-schema[Keep realmctl'\''s own tables (--for room).]'
        '--no-verify[Do not read the database back (sqlite).]'
        '--dry-run[Run every check and report, but keep no output (sqlite).]'
        '*--only[Only these classes, such as Person,Dog; repeatable.]:classes:{__realmctl_custom_complete ---completion export -- --only "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--exclude[All classes except these; repeatable.]:classes:{__realmctl_custom_complete ---completion export -- --exclude "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--where[Only objects that match\: '\''age > 9'\'' or '\''Person\:age > 9'\''.]:query:'
        '*--arg[Value for $0, then $1 and so on; repeatable.]:value:'
        '--args[Values for $0, $1 and so on, as a JSON array.]:json:'
        '--rql-compat[Match Realm Core'\''s results, bugs included.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output.]:path:_files'
        '--force[Replace an existing output.]'
        '--internal[Include internal tables.]'
        '--schema[Schema file with inverse relationships to use in queries.]:path:_files'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--work-limit[Maximum amount of data to read through links.]:size:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_import() {
    local -i ret=1
    local -ar ___from=('json' 'csv' 'tsv' 'sqlite' 'realm')
    local -ar ___mode=('insert' 'upsert' 'replace' 'skip' 'delete')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':realm:_files -g '\''*.realm'\'''
        '*:source:_files'
        '--from[Source format; by default from the extension or content.]:format:{__realmctl_complete "${___from[@]}"}'
        '--class[Class of objects that do not name one.]:class:{__realmctl_custom_complete ---completion import -- --class "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--delimiter[CSV separator; by default a comma. \\t means a tab.]:character:'
        '--no-header[The first line is data; --columns names the columns.]'
        '--columns[Names of the columns, separated by commas.]:names:'
        '--null[Text that means null in CSV, such as '\''\\N'\''.]:text:'
        '--coerce[Accept strings for numbers and booleans in JSON.]'
        '--tables[Tables to read from a SQLite database, separated by commas.]:tables:'
        '*--map[Class for a SQLite table\: table=Class; repeatable.]:names:{__realmctl_custom_complete ---completion import -- --map "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--source-key-file[Key file for a realm to import; forms as for --key-file.]:path:_files'
        '--mode[What to do with existing objects.]:mode:{__realmctl_complete "${___mode[@]}"}'
        '*--match[Match existing objects by Class.property; repeatable.]:property:{__realmctl_custom_complete ---completion import -- --match "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--link[Find targets by a property\: Dog.owner=Person.id; repeatable.]:link:{__realmctl_custom_complete ---completion import -- --link "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--create-missing[Create missing targets of links.]'
        '--ignore-unknown[Ignore columns and keys that are not in the schema.]'
        '--max-errors[Maximum number of mistakes; their objects are left out.]:number:'
        '--rejects[NDJSON file that lists all mistakes.]:path:_files'
        '--create[Create a missing realm; needs --schema or --create-classes.]'
        '--schema[Schema of a new realm\: a schema file or a realm.]:path:_files'
        '--create-classes[Create missing classes, with types inferred from the data.]'
        '--add-properties[Add missing properties; needs --to-version.]'
        '--to-version[New schema version, for --add-properties.]:number:'
        '*--type[Type of a new property\: Class.property=TYPE; repeatable.]:type:{__realmctl_custom_complete ---completion import -- --type "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--primary-key[Primary key of a new class\: Class.property; repeatable.]:property:{__realmctl_custom_complete ---completion import -- --primary-key "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--compact[Also compact, so that no removed values stay in the file.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--upgrade[Convert an older file format to 24 first; keeps a backup.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_insert() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':class:{__realmctl_custom_complete ---completion insert -- positional@1 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*:value:'
        '--object[Object as JSON, or an array of objects.]:json:'
        '--also[More realms to change in the same way; repeatable.]:file:_files -g '\''*.realm'\'''
        '--expect[Required number of objects; otherwise nothing is changed.]:number:'
        '--show[Objects for --dry-run to show.]:number:'
        '--compact[Also compact, so that no removed values stay in the file.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--upgrade[Convert an older file format to 24 first; keeps a backup.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_update() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':class:{__realmctl_custom_complete ---completion update -- positional@1 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        ':rql:'
        '--all[Change all objects of the class.]'
        '*--set[Set property=VALUE or property\:=FORMULA; repeatable.]:value:'
        '*--add[Add an element\: property=VALUE; repeatable.]:value:'
        '*--remove[Remove elements\: property=VALUE; repeatable.]:value:'
        '*--unset[Remove a dictionary entry\: '\''map\["key"\]'\''; repeatable.]:entry:'
        '--also[More realms to change in the same way; repeatable.]:file:_files -g '\''*.realm'\'''
        '--expect[Required number of objects; otherwise nothing is changed.]:number:'
        '--show[Objects for --dry-run to show.]:number:'
        '--compact[Also compact, so that no removed values stay in the file.]'
        '--yes[Do not ask for confirmation (asked only on a terminal).]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--upgrade[Convert an older file format to 24 first; keeps a backup.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_delete() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':class:{__realmctl_custom_complete ---completion delete -- positional@1 "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        ':rql:'
        '--all[Delete all objects of the class.]'
        '--also[More realms to change in the same way; repeatable.]:file:_files -g '\''*.realm'\'''
        '--expect[Required number of objects; otherwise nothing is changed.]:number:'
        '--show[Objects for --dry-run to show.]:number:'
        '--compact[Also compact, so that no removed values stay in the file.]'
        '--yes[Do not ask for confirmation (asked only on a terminal).]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--upgrade[Convert an older file format to 24 first; keeps a backup.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_compact() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--if[Compact only if EXPR is true, such as '\''free > total / 2'\''.]:expr:'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--rebuild[Rebuild from the objects, with new indexes and backlinks.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--upgrade[Convert an older file format to 24 first; keeps a backup.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_migrate() {
    local -i ret=1
    local -ar ___report_format=('text' 'json')
    local -ar ___on_orphan=('fail' 'delete')
    local -ar ___on_shared=('fail' 'duplicate')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--plan[Migration plan in YAML or JSON; see realmctl-plan(5).]:path:_files -g '\''*.yml *.yaml *.json'\'''
        '*--rename[Rename a property, or a class (Dog=Pet); repeatable.]:Class.old=new:'
        '*--convert[Convert a property to another type; repeatable.]:Class.property=TYPE:'
        '*--set[Set a property by a template\: '\''{a} {b}'\''; repeatable.]:Class.property=TEMPLATE:'
        '*--where[Objects that --set changes\: '\''Person\:age > 9'\''; repeatable.]:query:{__realmctl_custom_complete ---completion migrate -- --where "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--delete-class[Delete a class and its objects; repeatable.]:class:'
        '--allow-exec[Let the plan run external commands (transform).]'
        '--init[If the realm has no schema version, run every step.]'
        '--schema[Target schema\: a schema file or a realm.]:path:_files -g '\''*.json *.realm'\'''
        '--to-version[Target schema version; without --schema, the plan'\''s last.]:number:'
        '--show[Objects of each class to show before and after.]:number:'
        '--compact[Also compact, so that no removed values stay in the file.]'
        '--report-format[Report format; by default text, or json with --json.]:format:{__realmctl_complete "${___report_format[@]}"}'
        '--restore-backups[Restore backups named by a JSON report; - is standard input.]:report:_files -g '\''*.json'\'''
        '--allow-data-loss[Migrate even if values or objects are lost.]'
        '--on-orphan[What to do with parentless objects when embedding a class.]:action:{__realmctl_complete "${___on_orphan[@]}"}'
        '--on-shared[What to do with shared objects when embedding a class.]:action:{__realmctl_complete "${___on_shared[@]}"}'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--upgrade[Convert an older file format to 24 first; keeps a backup.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_plan() {
    local -i ret=1
    local -ar arg_specs=(
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'new:Draft a migration plan to a target schema.'
            'check:Check a migration plan without running it.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        new|check)
            "_realmctl_plan_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_realmctl_plan_new() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--schema[Target schema\: a schema file or a realm.]:path:_files -g '\''*.json *.realm'\'''
        '--to-version[Target schema version.]:number:'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output.]:path:_files'
        '--force[Replace an existing output.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_plan_check() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':plan:_files -g '\''*.yml *.yaml *.json'\'''
        ':file:_files -g '\''*.realm'\'''
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_upgrade() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.realm'\'''
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_downgrade() {
    local -i ret=1
    local -ar ___file_format=('10' '11' '20' '22' '23')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--file-format[File format to write\: 10, 11, 20, 22 or 23.]:number:{__realmctl_complete "${___file_format[@]}"}'
        '*--as[Change a type, such as '\''Person.id=string'\''; repeatable.]:mapping:{__realmctl_custom_complete ---completion downgrade -- --as "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--allow-data-loss[Leave out what the format cannot store, and list it.]'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--backup[File or folder for the backup; existing files are kept.]:path:_files -g '\''*.realm'\'''
        '--no-backup[Do not keep a backup.]'
        '--allow-damage[With --no-backup\: change the file even if it is damaged.]'
        '(-o --output)'{-o,--output}'[Write the result to another file; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_write-copy() {
    local -i ret=1
    local -ar ___file_format=('10' '11' '20' '22' '23' '24')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        ':dest:_files -g '\''*.realm'\'''
        '*--only[Only these classes, such as Person,Dog; repeatable.]:classes:{__realmctl_custom_complete ---completion write-copy -- --only "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--exclude[All classes except these; repeatable.]:classes:{__realmctl_custom_complete ---completion write-copy -- --exclude "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--where[Only objects that match\: '\''Person\:age > 9'\''; repeatable.]:query:{__realmctl_custom_complete ---completion write-copy -- --where "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--with-links[Also copy what these objects link to, directly or not.]'
        '--no-internal[Leave out internal tables, except the schema version.]'
        '--allow-data-loss[Leave out what would be lost, and list it.]'
        '--rebuild[Rebuild from the objects, with new indexes and backlinks.]'
        '--file-format[File format to write\: 10, 11, 20, 22, 23 or 24.]:number:{__realmctl_complete "${___file_format[@]}"}'
        '*--as[Change a type, such as '\''Person.id=string'\''; repeatable.]:mapping:{__realmctl_custom_complete ---completion write-copy -- --as "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--redact[Redact values by these rules; see realmctl-redaction(5).]:rules:_files -g '\''*.yml *.yaml *.json'\'''
        '--redact-key-file[Redaction key\: any file of 16 bytes or more.]:path:_files'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_redact() {
    local -i ret=1
    local -ar arg_specs=(
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'new:Draft redaction rules for a realm.'
            'check:Check redaction rules against a realm.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        new|check)
            "_realmctl_redact_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_realmctl_redact_new() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '(-o --output)'{-o,--output}'[Write to a file instead of standard output.]:path:_files'
        '--force[Replace an existing output.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_redact_check() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':rules:_files -g '\''*.yml *.yaml *.json'\'''
        ':file:_files -g '\''*.realm'\'''
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_bundle() {
    local -i ret=1
    local -ar ___from=('json' 'csv' 'tsv' 'sqlite' 'realm')
    local -ar ___mode=('insert' 'upsert' 'replace' 'skip' 'delete')
    local -ar ___file_format=('10' '11' '20' '22' '23' '24')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--seed[Seed to write; - is standard output.]:path:_files -g '\''*.realm'\'''
        '--schema[Schema of the seed\: a schema file or a realm.]:path:_files'
        '*--data[Objects, as for '\''import'\''; - is standard input; repeatable.]:path:_files'
        '--keep-keys[Keep object keys of JSON data, in ascending order.]'
        '--create-classes[Create missing classes, with types inferred from the data.]'
        '--data-key-file[Key file for a realm in --data; forms as for --key-file.]:path:_files'
        '--from[Source format; by default from the extension or content.]:format:{__realmctl_complete "${___from[@]}"}'
        '--class[Class of objects that do not name one.]:class:{__realmctl_custom_complete ---completion bundle -- --class "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--delimiter[CSV separator; by default a comma. \\t means a tab.]:character:'
        '--no-header[The first line is data; --columns names the columns.]'
        '--columns[Names of the columns, separated by commas.]:names:'
        '--null[Text that means null in CSV, such as '\''\\N'\''.]:text:'
        '--coerce[Accept strings for numbers and booleans in JSON.]'
        '--tables[Tables to read from a SQLite database, separated by commas.]:tables:'
        '*--map[Class for a SQLite table\: table=Class; repeatable.]:names:{__realmctl_custom_complete ---completion bundle -- --map "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--mode[What to do with existing objects.]:mode:{__realmctl_complete "${___mode[@]}"}'
        '*--match[Match existing objects by Class.property; repeatable.]:property:{__realmctl_custom_complete ---completion bundle -- --match "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--link[Find targets by a property\: Dog.owner=Person.id; repeatable.]:link:{__realmctl_custom_complete ---completion bundle -- --link "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--create-missing[Create missing targets of links.]'
        '--ignore-unknown[Ignore columns and keys that are not in the schema.]'
        '--max-errors[Maximum number of mistakes; their objects are left out.]:number:'
        '--rejects[NDJSON file that lists all mistakes.]:path:_files'
        '*--type[Type of a new property\: Class.property=TYPE; repeatable.]:type:{__realmctl_custom_complete ---completion bundle -- --type "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--primary-key[Primary key of a new class\: Class.property; repeatable.]:property:{__realmctl_custom_complete ---completion bundle -- --primary-key "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--only[Only these classes, such as Person,Dog; repeatable.]:classes:{__realmctl_custom_complete ---completion bundle -- --only "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--exclude[All classes except these; repeatable.]:classes:{__realmctl_custom_complete ---completion bundle -- --exclude "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--where[Only objects that match\: '\''Person\:age > 9'\''; repeatable.]:query:{__realmctl_custom_complete ---completion bundle -- --where "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--with-links[Also copy what these objects link to, directly or not.]'
        '--no-internal[Leave out internal tables, except the schema version.]'
        '--allow-data-loss[Leave out what would be lost, and list it.]'
        '--schema-version[Schema version to store, if not that of the source.]:number:'
        '--expect-schema[Model of the app\: a schema file or a realm.]:path:_files'
        '*--expect[Required count\: '\''City > 0'\'', '\''City\:size > 9 = 5'\''; repeatable.]:count:{__realmctl_custom_complete ---completion bundle -- --expect "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--file-format[File format to write\: 10, 11, 20, 22, 23 or 24.]:number:{__realmctl_complete "${___file_format[@]}"}'
        '*--as[Change a type, such as '\''Person.id=string'\''; repeatable.]:mapping:{__realmctl_custom_complete ---completion bundle -- --as "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_rm() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.realm'\'''
        '--backups[Also delete its backups.]'
        '--yes[Do not ask for confirmation.]'
        '--dry-run[Show what would be deleted, but delete nothing.]'
        '--wait[Seconds to wait for a file in use; by default 0.]:seconds:'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
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
        '--limit[Maximum number of findings to show of each kind.]:number:'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
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
        '(-o --output)'{-o,--output}'[New realm; - is standard output.]:path:_files -g '\''*.realm'\'''
        '*--only[Only these classes, such as Person,Dog; repeatable.]:classes:{__realmctl_custom_complete ---completion recover -- --only "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '*--exclude[All classes except these; repeatable.]:classes:{__realmctl_custom_complete ---completion recover -- --exclude "${current_word_index}" "$(__realmctl_cursor_index_in_current_word)"}'
        '--policy[Which values to save.]:policy:{__realmctl_complete "${___policy[@]}"}'
        '--deleted[Also save deleted objects that are still in the file.]'
        '--report[NDJSON file that names what is lost or doubtful.]:path:_files'
        '--strings[NDJSON file for strings that belong to no object.]:path:_files'
        '--key-file[Key file\: raw, hex, Base64 or numbers; - is standard input.]:path:_files'
        '--key-env[Environment variable with the key.]:name:'
        '--key-prompt[Ask for the key on the terminal.]'
        '--out-key-file[Key file for the output; forms as for --key-file.]:path:_files'
        '--out-key-env[Environment variable with the key for the output.]:name:'
        '--out-key-same[Encrypt the output with the key of the source.]'
        '--decrypt[Write the output unencrypted, readable by its owner only.]'
        '--keep-mode[Give a decrypted file the permissions of the source.]'
        '--force[Replace an existing output, unless an app has it open.]'
        '--dry-run[Run every check and report, but write nothing.]'
        '--verify[Read back and compare the result (default), or skip this.]'
        '--no-verify[Read back and compare the result (default), or skip this.]'
        '--snapshot[Older snapshot to read\: previous, or a byte offset.]:snapshot:'
        '--json[Print results, errors and warnings as JSON.]'
        '(--quiet -q)'{--quiet,-q}'[Print only results and errors, no warnings or reports.]'
        '(--verbose -v)'{--verbose,-v}'[Print more details.]'
        '--progress[Show progress even if the output is a pipe.]'
        '--color[When to use color; auto also honors NO_COLOR.]:when:{__realmctl_complete "${___color[@]}"}'
        '--strict[Treat warnings as findings (exit status 1).]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_realmctl_help() {
    local -i ret=1
    local -ar arg_specs=(
        '*:subcommands:'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

if [[ "${funcstack[1]}" = _realmctl ]]; then
    _realmctl "${@}"
else
    compdef _realmctl realmctl
fi
