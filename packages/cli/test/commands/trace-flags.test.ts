import { describe, expect, test } from 'vitest';
import { diagramFormats } from '../../src/print/report.ts';
import { runLine } from '../fake-io.ts';

describe('an invalid command line of a command with formats of its own', () => {
  test.each([
    ['trace', "missing required argument 'TARGET'"],
    ['trace a b', 'too many arguments'],
    ['trace web', 'no input: give -f FILE'],
    ['trace web --pods all', 'Allowed choices are disabled, insecure, verified'],
    ['trace web --zone .', 'give a domain such as cluster.local'],
    ['trace web --zone a..b', 'give a domain such as cluster.local'],
    ['trace web --release 1.8', '--release'],
    ['trace web -f x -o picture', 'Allowed choices are table, wide, yaml, json, mermaid, svg, html'],
    ['explain -f x -o svg', '-o svg is only for trace: give table, wide, yaml or json'],
    ['explain -f x -o html', '-o html is only for trace, rollout, drain and simulate: give table, wide, yaml or json'],
    ['rollout -f x --change y -o svg', '-o svg is only for trace: give table, wide, yaml, json or html'],
    ['drain -f x --node y -o mermaid', '-o mermaid is only for trace: give table, wide, yaml, json or html'],
    ['compute -f x -o mermaid', '-o mermaid is only for trace: give table, wide, yaml or json'],
  ])('is refused in one line: %s', async (line, message) => {
    const { code, stderr } = await runLine(line);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('the diagram formats are mermaid, svg and html', () => {
  expect(diagramFormats).toEqual(['mermaid', 'svg', 'html']);
});

test('help lists the flags of trace', async () => {
  const { code, stdout } = await runLine('trace --help');
  expect(code).toBe(0);
  for (const word of ['TARGET', '--from', '--node', '--zone', '--pods', '--context', '--release']) expect(stdout).toContain(word);
});
