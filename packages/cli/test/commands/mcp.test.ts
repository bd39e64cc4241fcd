import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../../test/support/repository.ts';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { runLine } from '../fake-io.ts';

const bin = join(root, 'packages/cli/dist/bin.js');
const shop = join(root, 'examples/cluster/shop.yaml');

/** Connects the official client to the built command. */
async function connect(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp', ...args] }));
  return client;
}

const textOf = (result: Awaited<ReturnType<Client['callTool']>>): string =>
  (result.content as readonly { readonly type: string; readonly text: string }[]).map(({ text }) => text).join('');

describe('the MCP server', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect('-f', shop);
  });
  afterAll(() => client.close());

  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });

  test('lists tools that only read, with the schemas of their arguments', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint])).toStrictEqual([
      ['explain', true, false],
      ['trace', true, false],
      ['diff', true, false],
      ['upgrade', true, false],
    ]);
    expect(tools.find(({ name }) => name === 'trace')?.inputSchema.required).toStrictEqual(['target']);
    for (const { description } of tools) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test.each([
    ['explain', { namespace: 'shop', services: ['gift-cards'] }, 'explain -n shop gift-cards'],
    ['explain', { namespace: 'shop', problems: true }, 'explain -n shop --problems'],
    [
      'trace',
      { target: 'storefront.shop:http', fromPod: 'shop/pod/cart-84b9d5f6c7-z48ls' },
      'trace storefront.shop:http --from shop/pod/cart-84b9d5f6c7-z48ls',
    ],
    ['upgrade', { namespace: 'shop', fromRelease: '1.29', toRelease: '1.33' }, 'upgrade -n shop --from 1.29 --to 1.33'],
  ])('answers %s %j as the command line does', async (name, input, line) => {
    const { stdout } = await runLine(`${line} -f shop.yaml`, { files: { 'shop.yaml': readFileSync(shop, 'utf8') } });
    const result = await call(name, input);
    expect(result.isError).toBe(false);
    expect(textOf(result)).toContain(stdout.trimEnd());
  });

  test('answers in JSON', async () => {
    const { content } = await call('explain', { namespace: 'shop', services: ['gift-cards'], format: 'json' });
    const [first] = content as readonly { readonly text: string }[];
    expect(JSON.parse(first?.text ?? '').items[0].causes[0].code).toBe('PortFoundInNoPod');
  });

  test.each([
    ['a Service that does not exist', 'explain', { namespace: 'shop', services: ['nothing'] }, 'services "nothing" not found'],
    ['an invalid target', 'trace', { target: 'a..b' }, 'the name has an empty label'],
    ['an unknown release', 'explain', { release: '1.2' }, '1.2'],
    ['a value that looks like a flag', 'explain', { services: ['--kubeconfig=/etc/passwd'] }, 'may not be empty or begin with'],
    ['a missing argument', 'trace', {}, 'target'],
  ])('reports %s as an error of the tool', async (_, name, input, message) => {
    const result = await call(name, input);
    expect([result.isError, textOf(result)]).toStrictEqual([true, expect.stringContaining(message)]);
  });

  test('cuts long output and says so', async () => {
    const text = textOf(await call('explain', { allNamespaces: true, format: 'json' }));
    expect(text.length).toBeLessThan(41_000);
    expect(text).toMatch(/\n\nThe output is cut: /);
  });
});

test('the MCP server reports a dump that cannot be read, and reads a changed one', async () => {
  const file = join(makeFolder(), 'dump.yaml');
  const client = await connect('-f', file);
  const explain = () => client.callTool({ name: 'explain', arguments: { namespace: 'shop' } });
  expect(textOf(await explain())).toMatch(/dump\.yaml: .*(?:no such file|does not exist)/);
  writeFileSync(file, 'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{port: 80}]}\n');
  expect(textOf(await explain())).toMatch(/shop +web/);
  await client.close();
});

test('the MCP server ends with its standard input, and writes only messages of the protocol', () => {
  const { status, stdout } = spawnSync(process.execPath, [bin, 'mcp', '-f', shop], { input: 'not JSON\n', encoding: 'utf8' });
  expect([status, stdout]).toStrictEqual([0, '']);
});

test('mcp refuses to read objects from standard input', async () => {
  expect(await runLine('mcp -f -')).toStrictEqual({
    code: 2,
    stdout: '',
    stderr: 'error: -f -: standard input has the messages of the client; give a file\n',
  });
});
