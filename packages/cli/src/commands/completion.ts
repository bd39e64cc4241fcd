import { Argument, type Command } from 'commander';
import { exitCodes, type IO } from '../base/io.ts';
import type { Invocation, OnParsed } from '../flags/common.ts';

interface CompletionFlags {
  readonly command: 'completion';
  readonly shell: Shell;
}

type Shell = keyof typeof scripts;

export function configure(command: Command, onParsed: OnParsed): void {
  command
    .addArgument(new Argument('<SHELL>', 'the shell; "kubectl" is the script kubectl_complete-endpoints, for the plugin').choices(shells))
    .addHelpText('after', `\n${instructions}`)
    .action((shell: Shell) => onParsed([], { command: 'completion', shell }, run));
}

async function run({ shell }: Invocation<CompletionFlags>, io: IO): Promise<number> {
  io.stdout.write(scripts[shell]);
  return exitCodes.nothing;
}

const instructions = `Installation:
  bash     source <(kubectl-endpoints completion bash), in ~/.bashrc
  zsh      source <(kubectl-endpoints completion zsh), in ~/.zshrc, after compinit
  fish     kubectl-endpoints completion fish > ~/.config/fish/completions/kubectl-endpoints.fish
  kubectl  kubectl-endpoints completion kubectl > /usr/local/bin/kubectl_complete-endpoints
           chmod +x /usr/local/bin/kubectl_complete-endpoints`;

const bash = `# bash completion for kubectl-endpoints
_kubectl_endpoints() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      :0) if [ \${#COMPREPLY[@]} -eq 0 ]; then compopt -o default 2>/dev/null; fi ;;
      :*) ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(kubectl-endpoints __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _kubectl_endpoints kubectl-endpoints
`;

const zsh = `#compdef kubectl-endpoints
# zsh completion for kubectl-endpoints
_kubectl_endpoints() {
  local -a lines candidates
  local line
  lines=("\${(@f)$(kubectl-endpoints __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${(@)lines[1,-2]}"; do
    candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done
  if (( \${#candidates} )); then
    _describe 'kubectl-endpoints' candidates
  elif [[ \${lines[-1]} == :0 ]]; then
    _files
  fi
}
if [ "\${funcstack[1]}" = _kubectl-endpoints ]; then
  _kubectl_endpoints
else
  compdef _kubectl_endpoints kubectl-endpoints
fi
`;

const fish = `# fish completion for kubectl-endpoints
function __kubectl_endpoints_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (kubectl-endpoints __complete $words[2..-1] "$current" 2>/dev/null)
    if test (count $lines) -gt 1
        printf '%s\\n' $lines[1..-2]
    else if test "$lines[-1]" = :0
        __fish_complete_path "$current"
    end
end
complete -c kubectl-endpoints -f -a '(__kubectl_endpoints_complete)'
`;

const kubectl = `#!/bin/sh
# Completion of "kubectl endpoints": kubectl runs the program kubectl_complete-endpoints on the PATH.
exec kubectl-endpoints __complete "$@"
`;

const scripts = { bash, zsh, fish, kubectl } as const;
const shells: readonly string[] = Object.keys(scripts);
