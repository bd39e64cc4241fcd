import { Readable, Writable } from 'node:stream';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addClusterFlags, type InputFlags } from '../flags/cluster.ts';
import type { ConfigureCommand, Invocation } from '../flags/common.ts';
import { tools } from '../flags/tools.ts';

interface McpFlags extends InputFlags {
  readonly command: 'mcp';
}

/** Runs a command line and resolves to its exit code. */
type Main = (argv: readonly string[], io: IO) => Promise<number>;

/** Creates the command. @param main runs the other commands, which are the tools */
export const createCommand = (main: Main): { readonly configure: ConfigureCommand } => ({
  configure: (command, onParsed) =>
    addClusterFlags(command).action((cluster) =>
      onParsed([], { command: 'mcp', ...cluster } as McpFlags, (invocation, io, printMessage) => run(invocation, main, io, printMessage)),
    ),
});

/** Serves the tools until standard input ends, or the process receives a signal. Standard output has only messages of the protocol. */
async function run(invocation: Invocation<McpFlags>, main: Main, io: IO, printMessage: PrintMessage): Promise<number> {
  if (invocation.flags.filename?.includes('-')) throw new UsageError('-f -: standard input has the messages of the client; give a file');
  const server = new McpServer({ name: 'kubectl-endpoints', version: io.version });
  const source = sourceArguments(invocation);
  for (const [name, tool] of Object.entries(tools)) {
    server.registerTool(
      name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.inputSchema,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
      (input) => callTool([name, ...source, ...tool.toArguments(input)], main, io),
    );
  }
  const transport = new StdioServerTransport(Readable.from(io.stdin), createWritable(io.stdout));
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  server.server.onerror = (error) => printMessage('error', error.message);
  await server.connect(transport);
  await Promise.race([closed, io.untilStopped()]);
  await server.close();
  return exitCodes.nothing;
}

/** The flags of this command that every tool uses: clients can read nothing else. */
function sourceArguments({ flags, kubeconfig, context }: Invocation<McpFlags>): readonly string[] {
  return [
    ...(flags.filename ?? []).map((file) => `--filename=${file}`),
    ...(flags.recursive ? ['--recursive'] : []),
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ];
}

/** In characters. Longer output is cut, so that it fits the context of a model. */
const maxOutputLength = 40_000;

/** Runs a command line of this program, without access to standard input. */
async function callTool(argv: readonly string[], main: Main, io: IO): Promise<CallToolResult> {
  const outputs = { stdout: '', stderr: '' };
  const createOutput = (name: keyof typeof outputs): IO['stdout'] => ({
    write: (text) => {
      // Stops growing soon after the limit, and knows the length of the rest.
      outputs[name] += outputs[name].length < 2 * maxOutputLength ? text : '';
    },
    isTTY: false,
  });
  const code = await main(argv, {
    ...io,
    stdin: Readable.from([]),
    isStdinPiped: false,
    stdout: createOutput('stdout'),
    stderr: createOutput('stderr'),
  });
  // Hints and errors are a second part, so that JSON stays valid.
  const texts = [outputs.stdout.trimEnd(), outputs.stderr.trimEnd()].filter((text) => text !== '');
  const content = texts.map((text) => ({ type: 'text' as const, text: cut(text) }));
  return { content, isError: code === exitCodes.error && outputs.stdout === '' };
}

const cut = (text: string): string =>
  text.length <= maxOutputLength
    ? text
    : `${text.slice(0, text.lastIndexOf('\n', maxOutputLength))}\n\nThe output is cut: name Services, a namespace, or set "problems" to get less.`;

const createWritable = (output: IO['stdout']): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      output.write(chunk.toString());
      done();
    },
  });
