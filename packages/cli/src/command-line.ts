import { Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, type IO, type PrintMessage } from './base/io.ts';
import { printCompletions } from './complete.ts';
import {
  type CommonFlags,
  type ConfigureCommand,
  collectValues,
  findGivenFlags,
  type OnParsed,
  parseNamespaceFlag,
} from './flags/common.ts';
import { parseServiceArguments, type SelectorFlag, type ServiceArguments } from './flags/services.ts';
import { commandsByFormat, type DiagramFormat, diagramFormats } from './print/report.ts';
import { escapeUnprintable } from './print/text.ts';

/** A command as `--help` lists it; its module is loaded only when the command runs. */
export interface CommandEntry {
  readonly name: string;
  /** Shown by `--help` of the program and of the command. */
  readonly summary: string;
  load(): Promise<{ readonly configure: ConfigureCommand }>;
}

/** A command line that parsed successfully. */
export interface ParsedLine {
  readonly invocation: ParsedInvocation;
  /** Runs the command and resolves to its exit code. */
  run(io: IO, printMessage: PrintMessage): Promise<number>;
}

interface ParsedInvocation {
  readonly command: string;
  readonly names: readonly string[];
  readonly flags: CommonFlags;
}

/**
 * Parses a command line. Prints help or the version if the command line requests that, and then returns undefined.
 * @throws CommanderError if the command line is invalid
 */
export async function parseArguments(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  io: Pick<IO, 'stdout' | 'stderr' | 'version'>,
): Promise<ParsedLine | undefined> {
  let parsed: ParsedLine | undefined;
  const program = createProgram(io);
  const onParsed: OnParsed = (names, flags, run) => {
    const { names: serviceNames, namespace } = parseNames(program, names);
    const commonFlags = { ...program.opts<CommonFlags>(), ...(namespace !== undefined && { namespace }) };
    const invocation = { ...flags, names: serviceNames, flags: commonFlags };
    parsed = { invocation, run: (io, printMessage) => run(invocation, io, printMessage) };
  };
  const load = addCommands(program, commands, onParsed);
  program.hook('preSubcommand', (_, command) => load(command));
  await program.parseAsync(convertHelpCommand(argv, commands), { from: 'user' });
  const problem = parsed && problemOf(program, parsed.invocation);
  if (problem !== undefined) program.error(`error: ${problem}`);
  return parsed;
}

/** Prints the completions of the last word of a command line. */
export async function completeWords(
  words: readonly string[],
  commands: readonly CommandEntry[],
  io: Pick<IO, 'stdout' | 'stderr' | 'version'>,
): Promise<number> {
  const program = createProgram(io);
  await printCompletions(
    words,
    program,
    addCommands(program, commands, () => undefined),
    io.stdout,
  );
  return exitCodes.nothing;
}

/** Adds the commands without their flags. Returns a function that adds the flags of a command. */
function addCommands(program: Command, commands: readonly CommandEntry[], onParsed: OnParsed): (command: Command) => Promise<void> {
  for (const { name, summary } of commands) program.command(name).description(summary);
  return async (command) => {
    const { configure } = await (commands.find(({ name }) => name === command.name()) as CommandEntry).load();
    configure(command, onParsed);
  };
}

/** @throws CommanderError if the arguments do not name Services, or do not fit the flags */
function parseNames(program: Command, names: readonly string[]): ServiceArguments {
  try {
    return parseServiceArguments(names, program.opts<CommonFlags>());
  } catch (error) {
    if (error instanceof InvalidArgumentError) program.error(`error: ${error.message}`);
    throw error;
  }
}

/** Turns "help compute" into "compute --help", because commander would print help for a command whose flags are not loaded. */
function convertHelpCommand(argv: readonly string[], commands: readonly CommandEntry[]): readonly string[] {
  const [first, name] = argv;
  return first === 'help' && commands.some((command) => command.name === name) ? [...argv.slice(1), '--help'] : argv;
}

function createProgram(io: Pick<IO, 'stdout' | 'stderr' | 'version'>): Command {
  const width = (): number => io.stdout.columns ?? 100;
  const program = new Command('kubectl-endpoints').version(io.version, '--version', 'print the version');
  return addCommonFlags(program)
    .description('Computes and explains the Endpoints and EndpointSlices that a Kubernetes release writes for Services and Pods.')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [COMMAND]', 'print help for a command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\n${examples}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(`${escapeUnprintable(text.trim().replaceAll(/\s*\n\s*/g, ' '))}\n`),
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

const addCommonFlags = (program: Command): Command =>
  program
    .option(
      '-f, --filename <FILE>',
      'read objects from this file, from the *.yaml, *.yml and *.json files of this directory, or from standard input (-); repeatable',
      collectValues,
    )
    .option('-R, --recursive', 'with a directory: read its subdirectories, too')
    .option(
      '-n, --namespace <NAMESPACE>',
      'the namespace to select, also for objects of -f that set none (default: "default", for a cluster that of the context; run and dns: all)',
      parseNamespaceFlag,
    )
    .option('-A, --all-namespaces', 'select all namespaces')
    .addOption(
      new Option('-o, --output <FORMAT>', 'output format; mermaid and svg only for trace, html for trace, rollout and drain')
        .choices(['table', 'wide', 'yaml', 'json', ...diagramFormats])
        .default('table'),
    )
    .option('--no-color', 'print without colours, as with NO_COLOR');

/** Returns an error message if common flags do not fit the command; otherwise undefined. */
function problemOf(program: Command, invocation: ParsedInvocation & SelectorFlag): string | undefined {
  const { command, flags, names, selector } = invocation;
  const flagNames = findGivenFlags(program);
  const commands = commandsByFormat[flags.output as DiagramFormat] ?? [command];
  if (!commands.includes(command)) return `-o ${flags.output} is only for ${listWords(commands)}: give ${listFormats(command)}`;
  if (selector && names.length > 0) return 'names and -l select Services in different ways: leave out the names or -l';
  if (flagNames.includes('--output') && runsServer(invocation))
    return `-o has no effect: ${command} prints no objects${command === 'run' ? ' without --once' : ''}`;
  if (flagNames.includes('--filename') && command.startsWith('webhook')) return `-f has no effect: ${command} reads no objects`;
  if (flagNames.includes('--recursive') && !readsDirectories(invocation)) return '-R has no effect without a directory: give -f DIRECTORY';
  return undefined;
}

const listFormats = (command: string): string =>
  listWords(['table', 'wide', 'yaml', 'json', ...(commandsByFormat.html.includes(command) ? ['html'] : [])], 'or');

const listWords = (words: readonly string[], conjunction = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;

const runsServer = (invocation: ParsedInvocation & { readonly once?: boolean }): boolean =>
  ['apiserver', 'dns', 'mcp', 'webhook'].includes(invocation.command) || (invocation.command === 'run' && !invocation.once);

/** True if the command has a flag that can name a directory: -f, `proxy diff --after` or `override test --old`. */
const readsDirectories = (invocation: ParsedInvocation): boolean =>
  invocation.flags.filename !== undefined || 'after' in invocation || 'old' in invocation;

const examples = `Examples:
  kubectl get services,endpoints,endpointslices,pods,nodes -A -o json > cluster.json
  kubectl-endpoints explain -f cluster.json -n shop web
  kubectl-endpoints explain -f cluster.json -n shop --pod web-7c9f-abcde
  kubectl-endpoints compute -f cluster.json -n shop --slices web
  kubectl-endpoints diff -f cluster.json -A --release 1.29
  kubectl-endpoints upgrade -f cluster.json -A --from 1.29 --to 1.33
  kubectl-endpoints explain --context production -n shop web
  kubectl-endpoints resolve web.shop -f cluster.json
  kubectl-endpoints dns -f cluster.json --port 5353
  kubectl-endpoints trace web.shop:http --from pod/frontend-1 -f cluster.json
  kubectl-endpoints proxy view --node n1 -f cluster.json -n shop web
  kubectl-endpoints proxy render --node n1 -f cluster.json | nft --check -f -
  kubectl-endpoints run -f objects.yaml --kubeconfig-out kubeconfig
  kubectl-endpoints run --kubeconfig kubeconfig --leader-elect --metrics-port 8080
  kubectl-endpoints run -f objects.yaml --controllers endpoints,endpointslices,service-lb --cloud tcp
  kubectl-endpoints apiserver -f objects.yaml --port 0 --kubeconfig-out kubeconfig
  kubectl-endpoints override test --rules rules.yaml -f cluster.json
  kubectl-endpoints rollout -f objects.yaml --change new.yaml
  kubectl-endpoints drain -f objects.yaml --node n1
  kubectl-endpoints simulate --scenario scenario.yaml
  kubectl-endpoints history -f audit.log service shop/web
  kubectl-endpoints delays -f apiserver.metrics -o json > ranges.json
  kubectl-endpoints webhook --rules rules.yaml --self-signed tls

Exit codes: 0 no problem and no difference; 1 a problem or a difference; 2 an error.`;
