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
        __realmctl_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'open'
            __realmctl_parse_subcommand -r 1 'read-only' 'in-memory' 'schema=' 'schema-version=' 'delete-if-migration-needed' 'compact-if=' 'seed=' 'only=+' 'exclude=+' 'allow-data-loss' 'on-orphan=' 'on-shared=' 'key-file=' 'key-env=' 'key-prompt' 'upgrade' 'wait=' 'backup=' 'no-backup' 'dry-run' 'yes' 'verify' 'no-verify' 'internal' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'schema'
            __realmctl_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'dump'
                __realmctl_parse_subcommand 1 'format=' 'service=' 'database=' 'only=+' 'exclude=+' 'internal' 'key-file=' 'key-env=' 'key-prompt' 'o/output=' 'force' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
            case 'diff'
                __realmctl_parse_subcommand 2 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
            end
        case 'browse'
            __realmctl_parse_subcommand 2 'key-file=' 'key-env=' 'key-prompt' 'internal' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'export'
            __realmctl_parse_subcommand 1 'format=' 'pretty' 'big-ints=' 'no-keys' 'links=' 'explode' 'only=+' 'exclude=+' 'internal' 'key-file=' 'key-env=' 'key-prompt' 'o/output=' 'force' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'check'
            __realmctl_parse_subcommand -r 1 'limit=' 'key-file=' 'key-env=' 'key-prompt' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'compact'
            __realmctl_parse_subcommand 1 'if=' 'o/output=' 'rebuild' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'upgrade' 'wait=' 'backup=' 'no-backup' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'migrate'
            __realmctl_parse_subcommand 1 'schema=' 'to-version=' 'compact' 'report=' 'allow-data-loss' 'on-orphan=' 'on-shared=' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'upgrade' 'wait=' 'backup=' 'no-backup' 'o/output=' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'upgrade'
            __realmctl_parse_subcommand 1 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'wait=' 'backup=' 'no-backup' 'o/output=' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'write-copy'
            __realmctl_parse_subcommand 2 'only=+' 'exclude=+' 'no-internal' 'allow-data-loss' 'rebuild' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'bundle'
            __realmctl_parse_subcommand 1 'seed=' 'schema=' 'data=+' 'class=' 'keep-keys' 'ignore-unknown' 'coerce' 'upsert' 'on-duplicate=' 'only=+' 'exclude=+' 'no-internal' 'allow-data-loss' 'schema-version=' 'expect-schema=' 'expect=+' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'recover'
            __realmctl_parse_subcommand 1 'o/output=' 'only=+' 'policy=' 'deleted' 'report=' 'strings=' 'key-file=' 'key-env=' 'key-prompt' 'out-key-file=' 'out-key-env=' 'out-key-same' 'decrypt' 'force' 'dry-run' 'verify' 'no-verify' 'json' 'q/quiet' 'v/verbose' 'color=' 'strict' 'version' 'h/help'
        case 'help'
            __realmctl_parse_subcommand -r 1 'version'
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
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'open' -d 'Tell what a realm is and what is in it; or open it as an app\'s launch would.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'schema' -d 'Show the schema of a realm, or what differs between two.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'browse' -d 'Look around in a realm: classes, objects, links and backlinks.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'export' -d 'Print the objects of a realm as JSON, NDJSON, CSV or TSV.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'check' -d 'Check every invariant of a realm: space, nodes, values, trees, tables, links, indexes, history.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'compact' -d 'Rewrite a realm without its free space, in place or to another file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'migrate' -d 'Bring a realm to another schema and a higher schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'upgrade' -d 'Bring a realm of an older file format to format 24.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'write-copy' -d 'Write a compacted copy of a realm: with another key, decrypted, or with some classes only.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'bundle' -d 'Make a seed file for an app from a realm, or from a schema and JSON data.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'recover' -d 'Save what can be read of a damaged realm into a new one.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl open" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" read-only' -l 'read-only' -d 'Open as a read-only configuration does: nothing is locked or changed; the file must be of format 24.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" in-memory' -l 'in-memory' -d 'Do everything to a copy in memory, and leave nothing of it.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" schema' -l 'schema' -d 'The schema to open with: a file as \'schema dump --format json\' writes it, or a realm.' -rfa '(set -l exts \'json\' \'realm\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" schema-version' -l 'schema-version' -d 'The version of that schema; the stored one unless given.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" delete-if-migration-needed' -l 'delete-if-migration-needed' -d 'Where a migration would be needed, replace the realm with an empty one instead. All its data is lost; the old file is kept beside it unless --no-backup is given.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" compact-if' -l 'compact-if' -d 'Compact first where this holds of total, used and free, e.g. \'total > 100MB && used < total / 2\'.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" seed' -l 'seed' -d 'Where FILE is missing, begin with a copy of this realm.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open"' -l 'only' -d 'Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open"' -l 'exclude' -d 'All classes but these. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" allow-data-loss' -l 'allow-data-loss' -d 'Go on where data is lost: values of properties that are removed, get another type or become required, and objects without a parent whose class becomes embedded.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" on-orphan' -l 'on-orphan' -d 'What becomes of objects without a parent when their class becomes embedded: fail, or delete. With --allow-data-loss they are deleted unless this says fail.' -rfka 'fail delete'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" on-shared' -l 'on-shared' -d 'What becomes of objects with several parents when their class becomes embedded: fail, or duplicate.' -rfka 'fail duplicate'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" upgrade' -l 'upgrade' -d 'Let a file of an older format be brought to format 24 in place. A backup is kept beside it.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" wait' -l 'wait' -d 'Wait so long for a file that is in use; 0 unless given.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" backup' -l 'backup' -d 'Where the backup goes; beside the file unless given.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" dry-run' -l 'dry-run' -d 'Check everything and report what would be done, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" yes' -l 'yes' -d 'Ask no question before a realm is deleted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" verify' -l 'verify' -d 'Prove that free space is free before a change, and compare what was rewritten.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" no-verify' -l 'no-verify' -d 'Prove that free space is free before a change, and compare what was rewritten.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" internal' -l 'internal' -d 'Include the tables that are no classes, such as the one with the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema" -eq 1' -fa 'dump' -d 'Print the schema of a realm: as a listing, JSON, model classes, SQL or a diagram.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema" -eq 1' -fa 'diff' -d 'Tell what would have to be migrated from one schema to another, in the SDKs\' words.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema dump" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" format' -l 'format' -d 'What to write.' -rfka 'text json core-json app-services js ts swift kotlin java csharp dart mermaid dot sql'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" service' -l 'service' -d 'The data source that relationships name (app-services).' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" database' -l 'database' -d 'The database that relationships name (app-services).' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump"' -l 'only' -d 'Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump"' -l 'exclude' -d 'All classes but these. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" internal' -l 'internal' -d 'Include the tables that are no classes, such as the one with the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" o output' -s 'o' -l 'output' -d 'Write to a file instead of standard output. It appears when it is complete; on an error or Ctrl-C nothing is left behind.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" force' -l 'force' -d 'Replace the output if it exists.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema dump" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema diff" -eq 1' -fa '(set -l exts \'realm\' \'json\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl schema diff" -eq 2' -fa '(set -l exts \'realm\' \'json\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl schema diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl browse" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" internal' -l 'internal' -d 'Include the tables that are no classes, such as the one with the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl browse" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl export" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" format' -l 'format' -d 'What to write.' -rfka 'json ndjson typed typed-ndjson core core-xjson core-xjson+ csv tsv'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" pretty' -l 'pretty' -d 'Indent the JSON (json).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" big-ints' -l 'big-ints' -d 'Write integers beyond 2^53, which JavaScript would round, as number or string (json, ndjson).' -rfka 'number string'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" no-keys' -l 'no-keys' -d 'Leave out _key, the object key of objects without a primary key (json, ndjson, csv, tsv).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" links' -l 'links' -d 'Write links as keys, as objects down to a depth (inline, inline:2, ...), or none (json, ndjson).' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" explode' -l 'explode' -d 'Write a file of its own for each list, set and dictionary, one row per element (csv, tsv).'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export"' -l 'only' -d 'Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export"' -l 'exclude' -d 'All classes but these. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" internal' -l 'internal' -d 'Include the tables that are no classes, such as the one with the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" o output' -s 'o' -l 'output' -d 'Write to a file instead of standard output. It appears when it is complete; on an error or Ctrl-C nothing is left behind.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" force' -l 'force' -d 'Replace the output if it exists.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl check" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" limit' -l 'limit' -d 'Findings of one kind that are shown; all are counted.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl compact" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" if' -l 'if' -d 'Compact only where this holds.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" o output' -s 'o' -l 'output' -d 'Write to another file and leave this one alone; - is standard output.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" rebuild' -l 'rebuild' -d 'Build the realm from its objects, with all indexes and backlinks made new; the history starts again.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" out-key-file' -l 'out-key-file' -d 'Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" out-key-env' -l 'out-key-env' -d 'Encrypt what is written with the key in an environment variable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" out-key-same' -l 'out-key-same' -d 'Encrypt what is written with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" decrypt' -l 'decrypt' -d 'Write an encrypted source as a plain file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" upgrade' -l 'upgrade' -d 'Let a file of an older format be brought to format 24 in place. A backup is kept beside it.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" wait' -l 'wait' -d 'Wait so long for a file that is in use; 0 unless given.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" backup' -l 'backup' -d 'Where the backup goes; beside the file unless given.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" force' -l 'force' -d 'Replace the output if it exists and no app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" dry-run' -l 'dry-run' -d 'Check everything and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" verify' -l 'verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" no-verify' -l 'no-verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl compact" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl migrate" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" schema' -l 'schema' -d 'The schema to arrive at: a file as \'schema dump --format json\' writes it, or a realm.' -rfa '(set -l exts \'json\' \'realm\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" to-version' -l 'to-version' -d 'The schema version to arrive at.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" compact' -l 'compact' -d 'Compact the realm in the same step, so that removed values are gone from the file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" report' -l 'report' -d 'How to report: text or json.' -rfka 'text json'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" allow-data-loss' -l 'allow-data-loss' -d 'Go on where data is lost: values of properties that are removed, get another type or become required, and objects without a parent whose class becomes embedded.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" on-orphan' -l 'on-orphan' -d 'What becomes of objects without a parent when their class becomes embedded: fail, or delete. With --allow-data-loss they are deleted unless this says fail.' -rfka 'fail delete'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" on-shared' -l 'on-shared' -d 'What becomes of objects with several parents when their class becomes embedded: fail, or duplicate.' -rfka 'fail duplicate'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" out-key-file' -l 'out-key-file' -d 'Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" out-key-env' -l 'out-key-env' -d 'Encrypt what is written with the key in an environment variable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" out-key-same' -l 'out-key-same' -d 'Encrypt what is written with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" decrypt' -l 'decrypt' -d 'Write an encrypted source as a plain file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" upgrade' -l 'upgrade' -d 'Let a file of an older format be brought to format 24 in place. A backup is kept beside it.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" wait' -l 'wait' -d 'Wait so long for a file that is in use; 0 unless given.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" backup' -l 'backup' -d 'Where the backup goes; beside the file unless given.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" o output' -s 'o' -l 'output' -d 'Write the result to another file, and leave this one alone.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" force' -l 'force' -d 'Replace the output if it exists and no app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" dry-run' -l 'dry-run' -d 'Check everything and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" verify' -l 'verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" no-verify' -l 'no-verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl migrate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl upgrade" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" out-key-file' -l 'out-key-file' -d 'Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" out-key-env' -l 'out-key-env' -d 'Encrypt what is written with the key in an environment variable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" out-key-same' -l 'out-key-same' -d 'Encrypt what is written with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" decrypt' -l 'decrypt' -d 'Write an encrypted source as a plain file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" wait' -l 'wait' -d 'Wait so long for a file that is in use; 0 unless given.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" backup' -l 'backup' -d 'Where the backup goes; beside the file unless given.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" no-backup' -l 'no-backup' -d 'Keep no backup.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" o output' -s 'o' -l 'output' -d 'Write the result to another file, and leave this one alone.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" force' -l 'force' -d 'Replace the output if it exists and no app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" dry-run' -l 'dry-run' -d 'Check everything and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" verify' -l 'verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" no-verify' -l 'no-verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl upgrade" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl write-copy" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl write-copy" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy"' -l 'only' -d 'Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy"' -l 'exclude' -d 'All classes but these. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" no-internal' -l 'no-internal' -d 'Leave out the tables that are no classes, except for the one with the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" allow-data-loss' -l 'allow-data-loss' -d 'Leave out properties that link to classes left out, and make such links in mixed values null; both are counted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" rebuild' -l 'rebuild' -d 'Build the copy from the objects, with all indexes and backlinks made new.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" out-key-file' -l 'out-key-file' -d 'Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" out-key-env' -l 'out-key-env' -d 'Encrypt what is written with the key in an environment variable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" out-key-same' -l 'out-key-same' -d 'Encrypt what is written with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" decrypt' -l 'decrypt' -d 'Write an encrypted source as a plain file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" force' -l 'force' -d 'Replace the output if it exists and no app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" dry-run' -l 'dry-run' -d 'Check everything and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" verify' -l 'verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" no-verify' -l 'no-verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl write-copy" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl bundle" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" seed' -l 'seed' -d 'The seed to write; - writes it to standard output.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" schema' -l 'schema' -d 'The schema: a schema file, or a realm.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'data' -d 'The data: JSON of a form that \'export\' writes; - for standard input. May be repeated.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" class' -l 'class' -d 'The class of objects that do not tell it.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" keep-keys' -l 'keep-keys' -d 'Objects keep the object keys that the data gives, which must ascend within each class.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" ignore-unknown' -l 'ignore-unknown' -d 'Pass over members that the schema does not have.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" coerce' -l 'coerce' -d 'Read texts as numbers and booleans where the schema has those.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" upsert' -l 'upsert' -d 'An object whose primary key came before changes that object, instead of being an error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" on-duplicate' -l 'on-duplicate' -d 'What becomes of objects that have the primary key of another: fail, keep-first or keep-last.' -rfka 'fail keep-first keep-last'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'only' -d 'Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'exclude' -d 'All classes but these. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" no-internal' -l 'no-internal' -d 'Leave out the tables that are no classes, except for the one with the schema version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" allow-data-loss' -l 'allow-data-loss' -d 'Leave out properties that link to classes left out, and make such links in mixed values null; both are counted.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" schema-version' -l 'schema-version' -d 'The schema version to store; the source\'s own unless given.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" expect-schema' -l 'expect-schema' -d 'A schema file or realm whose classes the seed should have; warn of each that it has not.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle"' -l 'expect' -d 'Write the seed only if a class has so many objects, e.g. \'City = 100\' or \'City > 0\'. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" out-key-file' -l 'out-key-file' -d 'Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" out-key-env' -l 'out-key-env' -d 'Encrypt what is written with the key in an environment variable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" out-key-same' -l 'out-key-same' -d 'Encrypt what is written with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" decrypt' -l 'decrypt' -d 'Write an encrypted source as a plain file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" force' -l 'force' -d 'Replace the output if it exists and no app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" dry-run' -l 'dry-run' -d 'Check everything and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" verify' -l 'verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" no-verify' -l 'no-verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl bundle" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_positional "realmctl recover" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" o output' -s 'o' -l 'output' -d 'The new realm; - writes it to standard output.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'realm\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover"' -l 'only' -d 'Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May be repeated.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" policy' -l 'policy' -d 'What to save: trusted leaves out values that something in the file contradicts, all keeps them.' -rfka 'trusted all'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" deleted' -l 'deleted' -d 'Also save objects that were deleted, as far as they are still in the file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" report' -l 'report' -d 'Write what is lost or doubtful, object by object, to a file (NDJSON).' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" strings' -l 'strings' -d 'Write texts that belong to no object any more to a file (NDJSON).' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" key-file' -l 'key-file' -d 'Read the encryption key from a file, or from standard input (-): 64 raw bytes, 128 hex digits, Base64, or a JSON array of 64 numbers.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" key-env' -l 'key-env' -d 'Take the key from an environment variable: hex digits, Base64 or a JSON array.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" key-prompt' -l 'key-prompt' -d 'Ask for the key on the terminal; what is typed does not show.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" out-key-file' -l 'out-key-file' -d 'Encrypt what is written with the key in a file, or from standard input (-); forms as for --key-file.' -rF
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" out-key-env' -l 'out-key-env' -d 'Encrypt what is written with the key in an environment variable.' -rfka ''
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" out-key-same' -l 'out-key-same' -d 'Encrypt what is written with the key of the source.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" decrypt' -l 'decrypt' -d 'Write an encrypted source as a plain file.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" force' -l 'force' -d 'Replace the output if it exists and no app has it open.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" dry-run' -l 'dry-run' -d 'Check everything and report, but write nothing.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" verify' -l 'verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" no-verify' -l 'no-verify' -d 'Read what was written again and compare it before it appears; not possible for standard output and devices.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" json' -l 'json' -d 'Print facts as JSON; errors and warnings become JSON objects on standard error.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" q quiet' -l 'quiet' -s 'q' -d 'Leave out warnings and what was done; errors are always shown.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" v verbose' -l 'verbose' -s 'v' -d 'Say more: what was done, and how it went.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" color' -l 'color' -d 'When to use colour; auto: on a terminal, unless NO_COLOR is set.' -rfka 'auto always never'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" strict' -l 'strict' -d 'Count warnings as findings: status 1 instead of 0.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" version' -l 'version' -d 'Show the version.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl recover" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'realmctl' -n '__realmctl_should_offer_completions_for_flags_or_options "realmctl help" version' -l 'version' -d 'Show the version.'
