function __realmctl_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __realmctl_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __realmctl_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __realmctl_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __realmctl_parse_tokens -S
    set -l unparsed_tokens (__realmctl_tokens -pc)
    switch $unparsed_tokens[1]
    case 'realmctl'
        __realmctl_parse_subcommand 0 'V/version' 'h/help'
        switch $unparsed_tokens[1]
        case 'open'
            __realmctl_parse_subcommand -r 1 'snapshot=' 'read-only' 'in-memory' 'schema=' 'schema-version=' 'delete-if-migration-needed' 'compact-if=' 'seed=' 'plan=' 'allow-exec' 'only=+' 'exclude=+' 'allow-data-loss' 'on-orphan=' 'on-shared=' 'key-file=' 'key-env=' 'key-prompt' 'upgrade' 'wait=' 'backup=' 'no-backup' 'dry-run' 'yes' 'verify' 'no-verify' 'internal' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'schema'
            __realmctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'dump'
                __realmctl_parse_subcommand -r 1 'snapshot=' 'format=' 'service=' 'database=' 'only=+' 'exclude=+' 'internal' 'key-file=' 'key-env=' 'key-prompt' 'o/output=' 'force' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
            case 'diff'
                __realmctl_parse_subcommand 2 'against=' 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
            end
        case 'browse'
            __realmctl_parse_subcommand 2 'snapshot=' 'key-file=' 'key-env=' 'key-prompt' 'internal' 'color=' 'h/help'
        case 'query'
            __realmctl_parse_subcommand 3 'snapshot=' 'arg=+' 'args=' 'rql-compat' 'limit=' 'count' 'exists' 'keys' 'explain' 'columns=' 'group-by=' 'sum=+' 'min=+' 'max=+' 'avg=+' 'backlinks' 'format=' 'pretty' 'big-ints=' 'no-keys' 'links=' 'key-file=' 'key-env=' 'key-prompt' 'o/output=' 'force' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'export'
            __realmctl_parse_subcommand 1 'snapshot=' 'format=' 'pretty' 'big-ints=' 'no-keys' 'links=' 'explode' 'only=+' 'exclude=+' 'where=' 'arg=+' 'args=' 'rql-compat' 'internal' 'key-file=' 'key-env=' 'key-prompt' 'o/output=' 'force' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'check'
            __realmctl_parse_subcommand -r 1 'snapshot=' 'limit=' 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'stats'
            __realmctl_parse_subcommand -r 1 'snapshot=' 'by=' 'top=' 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'diff'
            __realmctl_parse_subcommand 2 'against=' 'stat' 'only=+' 'exclude=+' 'key-file=' 'key-env=' 'key-prompt' 'new-key-file=' 'new-key-env=' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'hash'
            __realmctl_parse_subcommand -r 1 'snapshot=' 'per-class' 'no-keys' 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'history'
            __realmctl_parse_subcommand 1 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'compact'
            __realmctl_parse_subcommand 1 'if=' 'o/output=' 'rebuild' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'upgrade' 'wait=' 'backup=' 'no-backup' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'migrate'
            __realmctl_parse_subcommand -r 1 'plan=' 'rename=+' 'convert=+' 'set=+' 'delete-class=+' 'allow-exec' 'init' 'schema=' 'to-version=' 'show=' 'compact' 'report=' 'allow-data-loss' 'on-orphan=' 'on-shared=' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'upgrade' 'wait=' 'backup=' 'no-backup' 'o/output=' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'plan'
            __realmctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'new'
                __realmctl_parse_subcommand 1 'snapshot=' 'schema=' 'to-version=' 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
            case 'check'
                __realmctl_parse_subcommand 2 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
            end
        case 'upgrade'
            __realmctl_parse_subcommand 1 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'wait=' 'backup=' 'no-backup' 'o/output=' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'downgrade'
            __realmctl_parse_subcommand 1 'format=' 'as=+' 'allow-data-loss' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'wait=' 'backup=' 'no-backup' 'o/output=' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'write-copy'
            __realmctl_parse_subcommand 2 'snapshot=' 'only=+' 'exclude=+' 'where=+' 'with-links' 'no-internal' 'allow-data-loss' 'rebuild' 'format=' 'as=+' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'bundle'
            __realmctl_parse_subcommand 1 'seed=' 'snapshot=' 'schema=' 'data=+' 'class=' 'keep-keys' 'ignore-unknown' 'coerce' 'upsert' 'on-duplicate=' 'only=+' 'exclude=+' 'where=+' 'with-links' 'no-internal' 'allow-data-loss' 'schema-version=' 'expect-schema=' 'expect=+' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'recover'
            __realmctl_parse_subcommand 1 'o/output=' 'only=+' 'policy=' 'deleted' 'report=' 'strings=' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'h/help'
        case 'help'
            __realmctl_parse_subcommand -r 1 
        end
    end
end

function __realmctl_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __realmctl_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __realmctl_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __realmctl_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__realmctl_tokens -p)
    if test -z "$(__realmctl_tokens -t)"
        set -l index (count (__realmctl_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'realmctl' -f
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl" V version' -s 'V' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'open' -d 'Show what a realm file is and what it contains.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'schema' -d 'Print the schema of a realm, or compare two schemas.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'browse' -d 'Browse a realm in the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'query' -d 'Find the objects of a class that match a query.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'export' -d 'Print objects as JSON, NDJSON, CSV or TSV.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'check' -d 'Check a realm for damage.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'stats' -d 'Show where the bytes of a realm are: classes, properties, indexes, history, free space.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'diff' -d 'Show what is different between the contents of two realms.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'hash' -d 'Print a hash of what realms contain, whatever their layout.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'history' -d 'Show the snapshots that are still in a realm file, and what changed between them.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'compact' -d 'Rewrite a realm without its free space.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'migrate' -d 'Change the schema of a realm, by a plan or to a target schema.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'plan' -d 'Write and check migration plans.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'upgrade' -d 'Convert a realm to file format 24.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'downgrade' -d 'Convert a realm to an older file format.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'write-copy' -d 'Write a compacted copy of a realm, with another key or fewer classes.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'bundle' -d 'Create a seed file for an app, from a realm or from JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'recover' -d 'Save what can be read of a damaged realm into a new one.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl open" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" read-only' -l 'read-only' -d 'Open read-only, as an app would; needs file format 24.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" in-memory' -l 'in-memory' -d 'Work on a copy in memory; the file stays as it is.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" schema' -l 'schema' -d 'Schema to open with: a schema file or a realm.' -rfa '(set -l exts \'json\' \'realm\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" schema-version' -l 'schema-version' -d 'Version of the schema, if not the stored one.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" delete-if-migration-needed' -l 'delete-if-migration-needed' -d 'Instead of migrating, delete all data and start empty.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" compact-if' -l 'compact-if' -d 'Compact first if EXPR holds, such as \'free > 100MB\'.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" seed' -l 'seed' -d 'Realm to copy if FILE does not exist.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" plan' -l 'plan' -d 'The migration plan: what an app\'s migration function does.' -rfa '(set -l exts \'yml\' \'yaml\' \'json\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" allow-exec' -l 'allow-exec' -d 'Let the plan run external commands (transform).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open"' -l 'only' -d 'Only these classes, such as Person,Dog; repeatable.' -rfka '(__realmctl_custom_completion ---completion open -- --only (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open"' -l 'exclude' -d 'All classes except these; repeatable.' -rfka '(__realmctl_custom_completion ---completion open -- --exclude (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" allow-data-loss' -l 'allow-data-loss' -d 'Migrate even if values or objects are lost.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" on-orphan' -l 'on-orphan' -d 'If a class becomes embedded: objects without a parent.' -rfka 'fail delete'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" on-shared' -l 'on-shared' -d 'If a class becomes embedded: objects with several parents.' -rfka 'fail duplicate'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" upgrade' -l 'upgrade' -d 'Convert an older file format to 24 first; keeps a backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" wait' -l 'wait' -d 'Seconds to wait for a file in use.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" backup' -l 'backup' -d 'Where to keep the backup, if not next to the file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" yes' -l 'yes' -d 'Delete data without asking.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" verify' -l 'verify' -d 'Verify free space and the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" no-verify' -l 'no-verify' -d 'Verify free space and the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" internal' -l 'internal' -d 'Include internal tables.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema" -eq 1' -fa 'dump' -d 'Print the schema: listing, JSON, model classes, SQL or diagram.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema" -eq 1' -fa 'diff' -d 'Compare two schemas, in the SDKs\' words.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema dump" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" format' -l 'format' -d 'Output format.' -rfka 'text json core-json app-services js ts swift kotlin java csharp dart mermaid dot sql'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" service' -l 'service' -d 'Data source of the relationships (app-services).' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" database' -l 'database' -d 'Database of the relationships (app-services).' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump"' -l 'only' -d 'Only these classes, such as Person,Dog; repeatable.' -rfka '(__realmctl_custom_completion ---completion schema dump -- --only (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump"' -l 'exclude' -d 'All classes except these; repeatable.' -rfka '(__realmctl_custom_completion ---completion schema dump -- --exclude (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" internal' -l 'internal' -d 'Include internal tables.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" o output' -s 'o' -l 'output' -d 'Write to a file instead of standard output.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" force' -l 'force' -d 'Replace an existing output.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema diff" -eq 1' -fa '(set -l exts \'realm\' \'json\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema diff" -eq 2' -fa '(set -l exts \'realm\' \'json\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" against' -l 'against' -d 'Start from an older snapshot: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl browse" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl browse" -eq 2' -fka '(__realmctl_custom_completion ---completion browse -- positional@1 (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" internal' -l 'internal' -d 'Include internal tables.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl query" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl query" -eq 2' -fka '(__realmctl_custom_completion ---completion query -- positional@1 (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query"' -l 'arg' -d 'Value for $0, then $1 and so on; repeatable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" args' -l 'args' -d 'Values for $0, $1 and so on, as a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" rql-compat' -l 'rql-compat' -d 'Answer as Realm Core does, defects included.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" limit' -l 'limit' -d 'Maximum number of objects.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" count' -l 'count' -d 'Print how many objects match.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" exists' -l 'exists' -d 'Print nothing; exit with status 1 if no object matches.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" keys' -l 'keys' -d 'Print object keys, one per line.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" explain' -l 'explain' -d 'Print how the query runs.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" columns' -l 'columns' -d 'Key paths to show, such as name,city.name.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" group-by' -l 'group-by' -d 'Count objects by the value of a key path.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query"' -l 'sum' -d 'Add up a key path in each group; repeatable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query"' -l 'min' -d 'Least value of a key path in each group; repeatable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query"' -l 'max' -d 'Greatest value of a key path in each group; repeatable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query"' -l 'avg' -d 'Average of a key path in each group; repeatable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" backlinks' -l 'backlinks' -d 'Show the links to each object, by class and property.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" format' -l 'format' -d 'Output format.' -rfka 'table json ndjson typed typed-ndjson core core-xjson core-xjson+ csv tsv'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" pretty' -l 'pretty' -d 'Indent the JSON (json).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" big-ints' -l 'big-ints' -d 'Integers beyond 2^53 as number or string (json, ndjson).' -rfka 'number string'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" no-keys' -l 'no-keys' -d 'Leave out _key, the object key (json, ndjson, csv, tsv).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" links' -l 'links' -d 'Links: keys, inline, inline:DEPTH or none (json, ndjson).' -rfka 'keys inline none'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" o output' -s 'o' -l 'output' -d 'Write to a file instead of standard output.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" force' -l 'force' -d 'Replace an existing output.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl query" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl export" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" format' -l 'format' -d 'Output format.' -rfka 'json ndjson typed typed-ndjson core core-xjson core-xjson+ csv tsv'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" pretty' -l 'pretty' -d 'Indent the JSON (json).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" big-ints' -l 'big-ints' -d 'Integers beyond 2^53 as number or string (json, ndjson).' -rfka 'number string'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" no-keys' -l 'no-keys' -d 'Leave out _key, the object key (json, ndjson, csv, tsv).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" links' -l 'links' -d 'Links: keys, inline, inline:DEPTH or none (json, ndjson).' -rfka 'keys inline none'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" explode' -l 'explode' -d 'One file per collection, a row per element (csv, tsv).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export"' -l 'only' -d 'Only these classes, such as Person,Dog; repeatable.' -rfka '(__realmctl_custom_completion ---completion export -- --only (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export"' -l 'exclude' -d 'All classes except these; repeatable.' -rfka '(__realmctl_custom_completion ---completion export -- --exclude (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" where' -l 'where' -d 'Only objects of the class that match a query.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export"' -l 'arg' -d 'Value for $0, then $1 and so on; repeatable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" args' -l 'args' -d 'Values for $0, $1 and so on, as a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" rql-compat' -l 'rql-compat' -d 'Answer as Realm Core does, defects included.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" internal' -l 'internal' -d 'Include internal tables.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" o output' -s 'o' -l 'output' -d 'Write to a file instead of standard output.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" force' -l 'force' -d 'Replace an existing output.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl check" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" limit' -l 'limit' -d 'Findings to show of each kind.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl stats" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" by' -l 'by' -d 'What a row stands for: part, class or property.' -rfka 'part class property'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" top' -l 'top' -d 'Rows that are shown; the others are summed up.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl stats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl diff" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl diff" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" against' -l 'against' -d 'Older snapshot to compare with: previous or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" stat' -l 'stat' -d 'Show the number of objects only.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff"' -l 'only' -d 'Only these classes, such as Person,Dog; repeatable.' -rfka '(__realmctl_custom_completion ---completion diff -- --only (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff"' -l 'exclude' -d 'All classes except these; repeatable.' -rfka '(__realmctl_custom_completion ---completion diff -- --exclude (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" new-key-file' -l 'new-key-file' -d 'Key file for the newer realm; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" new-key-env' -l 'new-key-env' -d 'Environment variable with the key for the newer realm.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl hash" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" per-class' -l 'per-class' -d 'Print a line for each class, too.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" no-keys' -l 'no-keys' -d 'Leave out object keys that no app sees and nothing links to.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl hash" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl history" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl compact" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" if' -l 'if' -d 'Compact only if EXPR holds, such as \'free > total / 2\'.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" o output' -s 'o' -l 'output' -d 'Write to another file; - is standard output.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" rebuild' -l 'rebuild' -d 'Rebuild from the objects, with new indexes and backlinks.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" out-key-file' -l 'out-key-file' -d 'Key file for the output; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" out-key-env' -l 'out-key-env' -d 'Environment variable with the key for the output.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" out-key-same' -l 'out-key-same' -d 'Encrypt the output with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" decrypt' -l 'decrypt' -d 'Write the output unencrypted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" upgrade' -l 'upgrade' -d 'Convert an older file format to 24 first; keeps a backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" wait' -l 'wait' -d 'Seconds to wait for a file in use.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" backup' -l 'backup' -d 'Where to keep the backup, if not next to the file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" force' -l 'force' -d 'Replace an existing output, unless an app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" verify' -l 'verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" no-verify' -l 'no-verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl migrate" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" plan' -l 'plan' -d 'A migration plan in YAML or JSON; see realmctl-plan(5).' -rfa '(set -l exts \'yml\' \'yaml\' \'json\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate"' -l 'rename' -d 'Rename a property, or a class (Dog=Pet).' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate"' -l 'convert' -d 'Give a property another type and convert its values.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate"' -l 'set' -d 'Set a property by a template, e.g. \'{first} {last}\'.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate"' -l 'delete-class' -d 'Delete a class and its objects.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" allow-exec' -l 'allow-exec' -d 'Let the plan run external commands (transform).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" init' -l 'init' -d 'Run all steps on a file without a schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" schema' -l 'schema' -d 'Target schema: a schema file or a realm.' -rfa '(set -l exts \'json\' \'realm\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" to-version' -l 'to-version' -d 'Target schema version; the last of the plan by default.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" show' -l 'show' -d 'Number of objects of each class to show before and after.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" compact' -l 'compact' -d 'Compact as well, so that removed values are gone.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" report' -l 'report' -d 'Form of the report.' -rfka 'text json'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" allow-data-loss' -l 'allow-data-loss' -d 'Migrate even if values or objects are lost.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" on-orphan' -l 'on-orphan' -d 'If a class becomes embedded: objects without a parent.' -rfka 'fail delete'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" on-shared' -l 'on-shared' -d 'If a class becomes embedded: objects with several parents.' -rfka 'fail duplicate'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" out-key-file' -l 'out-key-file' -d 'Key file for the output; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" out-key-env' -l 'out-key-env' -d 'Environment variable with the key for the output.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" out-key-same' -l 'out-key-same' -d 'Encrypt the output with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" decrypt' -l 'decrypt' -d 'Write the output unencrypted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" upgrade' -l 'upgrade' -d 'Convert an older file format to 24 first; keeps a backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" wait' -l 'wait' -d 'Seconds to wait for a file in use.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" backup' -l 'backup' -d 'Where to keep the backup, if not next to the file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" o output' -s 'o' -l 'output' -d 'Write the result to another file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" force' -l 'force' -d 'Replace an existing output, unless an app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" verify' -l 'verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" no-verify' -l 'no-verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl plan" -eq 1' -fa 'new' -d 'Print the first version of a plan from a realm to a schema.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl plan" -eq 1' -fa 'check' -d 'Check a migration plan without running it.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl plan new" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" schema' -l 'schema' -d 'Target schema: a schema file or a realm.' -rfa '(set -l exts \'json\' \'realm\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" to-version' -l 'to-version' -d 'Target schema version.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan new" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl plan check" -eq 1' -fa '(set -l exts \'yml\' \'yaml\' \'json\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl plan check" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl plan check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl upgrade" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" out-key-file' -l 'out-key-file' -d 'Key file for the output; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" out-key-env' -l 'out-key-env' -d 'Environment variable with the key for the output.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" out-key-same' -l 'out-key-same' -d 'Encrypt the output with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" decrypt' -l 'decrypt' -d 'Write the output unencrypted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" wait' -l 'wait' -d 'Seconds to wait for a file in use.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" backup' -l 'backup' -d 'Where to keep the backup, if not next to the file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" o output' -s 'o' -l 'output' -d 'Write the result to another file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" force' -l 'force' -d 'Replace an existing output, unless an app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" verify' -l 'verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" no-verify' -l 'no-verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl downgrade" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" format' -l 'format' -d 'File format to write: 10, 11, 20, 22 or 23.' -rfka '10 11 20 22 23'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade"' -l 'as' -d 'Change a type, as in \'Person.id=string\'; repeatable.' -rfka '(__realmctl_custom_completion ---completion downgrade -- --as (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" allow-data-loss' -l 'allow-data-loss' -d 'Leave out what the format cannot hold, and list it.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" out-key-file' -l 'out-key-file' -d 'Key file for the output; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" out-key-env' -l 'out-key-env' -d 'Environment variable with the key for the output.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" out-key-same' -l 'out-key-same' -d 'Encrypt the output with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" decrypt' -l 'decrypt' -d 'Write the output unencrypted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" wait' -l 'wait' -d 'Seconds to wait for a file in use.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" backup' -l 'backup' -d 'Where to keep the backup, if not next to the file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" o output' -s 'o' -l 'output' -d 'Write the result to another file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" force' -l 'force' -d 'Replace an existing output, unless an app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" verify' -l 'verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" no-verify' -l 'no-verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl downgrade" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl write-copy" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl write-copy" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy"' -l 'only' -d 'Only these classes, such as Person,Dog; repeatable.' -rfka '(__realmctl_custom_completion ---completion write-copy -- --only (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy"' -l 'exclude' -d 'All classes except these; repeatable.' -rfka '(__realmctl_custom_completion ---completion write-copy -- --exclude (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy"' -l 'where' -d 'Only matching objects, as in \'Person:age > 9\'; repeatable.' -rfka '(__realmctl_custom_completion ---completion write-copy -- --where (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" with-links' -l 'with-links' -d 'Also take what these objects link to, and so on.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" no-internal' -l 'no-internal' -d 'Leave out internal tables, except the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" allow-data-loss' -l 'allow-data-loss' -d 'Drop links to what is left out, and count them.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" rebuild' -l 'rebuild' -d 'Rebuild from the objects, with new indexes and backlinks.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" format' -l 'format' -d 'File format to write: 10, 11, 20, 22, 23 or 24.' -rfka '10 11 20 22 23 24'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy"' -l 'as' -d 'Change a type, as in \'Person.id=string\'; repeatable.' -rfka '(__realmctl_custom_completion ---completion write-copy -- --as (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" out-key-file' -l 'out-key-file' -d 'Key file for the output; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" out-key-env' -l 'out-key-env' -d 'Environment variable with the key for the output.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" out-key-same' -l 'out-key-same' -d 'Encrypt the output with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" decrypt' -l 'decrypt' -d 'Write the output unencrypted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" force' -l 'force' -d 'Replace an existing output, unless an app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" verify' -l 'verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" no-verify' -l 'no-verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl bundle" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" seed' -l 'seed' -d 'Seed to write; - is standard output.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" snapshot' -l 'snapshot' -d 'Older snapshot to read: previous, or a byte offset.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" schema' -l 'schema' -d 'Schema of the seed: a schema file or a realm.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'data' -d 'JSON as \'export\' writes it; - is standard input; repeatable.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" class' -l 'class' -d 'Class of objects that do not name their class.' -rfka '(__realmctl_custom_completion ---completion bundle -- --class (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" keep-keys' -l 'keep-keys' -d 'Keep the object keys of the data; they must ascend.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" ignore-unknown' -l 'ignore-unknown' -d 'Ignore members that the schema does not have.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" coerce' -l 'coerce' -d 'Accept strings for numbers and booleans.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" upsert' -l 'upsert' -d 'Update an object whose primary key occurs again.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" on-duplicate' -l 'on-duplicate' -d 'Duplicate primary keys: fail, keep-first or keep-last.' -rfka 'fail keep-first keep-last'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'only' -d 'Only these classes, such as Person,Dog; repeatable.' -rfka '(__realmctl_custom_completion ---completion bundle -- --only (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'exclude' -d 'All classes except these; repeatable.' -rfka '(__realmctl_custom_completion ---completion bundle -- --exclude (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'where' -d 'Only matching objects, as in \'Person:age > 9\'; repeatable.' -rfka '(__realmctl_custom_completion ---completion bundle -- --where (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" with-links' -l 'with-links' -d 'Also take what these objects link to, and so on.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" no-internal' -l 'no-internal' -d 'Leave out internal tables, except the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" allow-data-loss' -l 'allow-data-loss' -d 'Drop links to what is left out, and count them.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" schema-version' -l 'schema-version' -d 'Schema version to store, if not that of the source.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" expect-schema' -l 'expect-schema' -d 'Warn of classes of this schema that the seed lacks.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'expect' -d 'Required number of objects, as in \'City > 0\'; repeatable.' -rfka '(__realmctl_custom_completion ---completion bundle -- --expect (count (__realmctl_tokens -pc)) (__realmctl_tokens -tC))'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" out-key-file' -l 'out-key-file' -d 'Key file for the output; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" out-key-env' -l 'out-key-env' -d 'Environment variable with the key for the output.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" out-key-same' -l 'out-key-same' -d 'Encrypt the output with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" decrypt' -l 'decrypt' -d 'Write the output unencrypted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" force' -l 'force' -d 'Replace an existing output, unless an app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" verify' -l 'verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" no-verify' -l 'no-verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl recover" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" o output' -s 'o' -l 'output' -d 'New realm; - is standard output.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover"' -l 'only' -d 'Only these classes, such as Person,Dog; repeatable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" policy' -l 'policy' -d 'Which values to save.' -rfka 'trusted all'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" deleted' -l 'deleted' -d 'Also save deleted objects that are still in the file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" report' -l 'report' -d 'NDJSON file for what is lost or doubtful, by object.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" strings' -l 'strings' -d 'NDJSON file for texts that belong to no object.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" key-file' -l 'key-file' -d 'Key file: raw, hex, Base64 or JSON; - is standard input.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" key-env' -l 'key-env' -d 'Environment variable with the key.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" out-key-file' -l 'out-key-file' -d 'Key file for the output; forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" out-key-env' -l 'out-key-env' -d 'Environment variable with the key for the output.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" out-key-same' -l 'out-key-same' -d 'Encrypt the output with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" decrypt' -l 'decrypt' -d 'Write the output unencrypted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" force' -l 'force' -d 'Replace an existing output, unless an app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" dry-run' -l 'dry-run' -d 'Run every check and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" verify' -l 'verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" no-verify' -l 'no-verify' -d 'Read back and compare the result; --no-verify skips this.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" json' -l 'json' -d 'Print results, errors and warnings as JSON.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" q quiet' -l 'quiet' -s 'q' -d 'Suppress warnings and reports; errors still show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" v verbose' -l 'verbose' -s 'v' -d 'Print more about the file and the work.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" color' -l 'color' -d 'When to use colour; auto also honours NO_COLOR.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" strict' -l 'strict' -d 'Treat warnings as findings (exit status 1).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" h help' -s 'h' -l 'help' -d 'Show help information.'
