/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_completion.c - plan3d completion: scripts for shells, and what they ask
 * for on every Tab. */
#include <string.h>

#include "cli/rows.h"

static const cli_option options[] = {CLI_HELP_ROW};

/* Bash cuts words at = and : too; it replaces only what stands behind them.
 * Where no word may stand, files may, several with commas between. */
static const char bash[] =
        "# bash completion of plan3d\n"
        "_plan3d() {\n"
        "    local line=${COMP_LINE:0:COMP_POINT} words cur keep\n"
        "    read -ra words <<<\"$line\"\n"
        "    [[ $line == *[[:space:]] ]] && words+=('')\n"
        "    cur=${words[${#words[@]} - 1]}\n"
        "    keep=${cur%\"${cur##*[=:]}\"}\n"
        "    mapfile -t COMPREPLY < <(\n"
        "        \"${words[0]}\" completion words -- \"${words[@]:1}\" "
        "2>/dev/null\n"
        "    )\n"
        "    COMPREPLY=(\"${COMPREPLY[@]#\"$keep\"}\")\n"
        "    cur=${cur#\"$keep\"} keep=${cur%\"${cur##*,}\"}\n"
        "    if [[ -n $keep && -z ${COMPREPLY[*]} ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -f -P \"$keep\" -- "
        "\"${cur##*,}\")\n"
        "    fi\n"
        "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
        "    return 0\n"
        "} 2>/dev/null\n"
        "complete -o default -F _plan3d plan3d\n";

static const char zsh[] = "#compdef plan3d\n"
                          "# zsh completion of plan3d\n"
                          "_plan3d() {\n"
                          "    local -a found\n"
                          "    found=(${(f)\"$(${words[1]} completion words -- "
                          "\"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
                          "    if (( ${#found} )); then\n"
                          "        compadd -S ' ' -r = -- $found\n"
                          "    else\n"
                          "        compset -P '*,'\n"
                          "        _files\n"
                          "    fi\n"
                          "}\n"
                          "if [ \"$funcstack[1]\" = _plan3d ]; then\n"
                          "    _plan3d \"$@\"\n"
                          "else\n"
                          "    compdef _plan3d plan3d\n"
                          "fi\n";

static const char fish[] =
        "# fish completion of plan3d\n"
        "function __plan3d_words\n"
        "    set -l words (commandline -opc) (commandline -ct)\n"
        "    $words[1] completion words -- $words[2..-1] 2>/dev/null\n"
        "end\n"
        "complete -c plan3d -a '(__plan3d_words)'\n";

static const struct {
    const char *shell;
    const char *script;
} scripts[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    if (strcmp(args->words[0], "words") == 0) {
        cli_complete(args->n_words - 1, args->words + 1, reply->out);
        return true;
    }
    for (int i = 0; i < P3D_COUNT_OF(scripts); i++) {
        if (strcmp(scripts[i].shell, args->words[0]) == 0) {
            p3d_text_add(reply->out, "%s", scripts[i].script);
            return args->n_words == 1 ||
                   p3d_fail(err, P3D_USAGE, "one argument too many: '%.60s'",
                           args->words[1]);
        }
    }
    return p3d_fail(err, P3D_USAGE,
            "no completion for '%.60s'; write bash, zsh or fish",
            args->words[0]);
}

const cli_command cli_completion = {
        .name = "completion",
        .summary = "The script that makes a shell complete commands, options, "
                   "models, GPUs, frameworks and words of plans.",
        .positionals = {{"SHELL", "bash, zsh or fish", CLI_ONCE},
                {"WORD",
                        "behind 'words --' in place of a shell: a command line "
                        "whose last word is completed, as the scripts ask",
                        CLI_ANY}},
        .table = CLI_TABLE(options),
        .examples = {"source <(plan3d completion bash)",
                "plan3d completion fish > "
                "~/.config/fish/completions/plan3d.fish",
                "plan3d completion words -- fit llama-3"},
        .run = run,
};
