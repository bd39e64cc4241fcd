import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder, writeFiles } from '../../../../test/support/temporary.ts';
import { createClock } from '../../../controllers/test/queue/clock.ts';
import { UsageError } from '../../src/base/io.ts';
import { openCloud } from '../../src/live/cloud.ts';

const none = { cloud: undefined, clusterName: undefined, cloudAddresses: undefined };
const silent = { log: () => undefined };
const folder = makeFolder();
const functions = 'get: f, ensure: f, update: f, delete: f';

/** Writes a module and opens its cloud. */
function fromModule(file: string, text: string, flags = {}) {
  writeFiles(folder, { [file]: text });
  return openCloud({ ...none, cloud: join(folder, file), ...flags }, silent);
}

describe('a built-in cloud', () => {
  test('is undefined without --cloud', async () => {
    expect(await openCloud(none, silent)).toBeUndefined();
  });

  test.each(['memory', 'tcp'])('is opened by its name: %s', async (cloud) => {
    const opened = await openCloud({ ...none, cloud }, silent);
    expect(opened?.balancing).toEqual({ clusterName: 'kubernetes', cloud: expect.objectContaining({ balancers: expect.any(Object) }) });
    await opened?.close();
  });

  test.each(['memory', 'tcp'])('validates --cloud-addresses: %s', async (cloud) => {
    await expect(openCloud({ ...none, cloud, cloudAddresses: '10.0.0.0' }, silent)).rejects.toThrow(
      /^--cloud-addresses: 10\.0\.0\.0 is not a CIDR range: give an IPv4 range from \/16 to \/32, such as 10\.9\.0\.0\/24$/,
    );
  });
});

describe('a cloud from a module', () => {
  test('is created with the settings of the flags, and closed at the end', async () => {
    const text = `export const createCloud = async (settings) => {
      const f = async () => undefined;
      return { name: JSON.stringify(settings), balancers: { ${functions} }, closed: 0, async close() { this.closed += 1; } };
    };`;
    const opened = await fromModule('good.mjs', text, { clusterName: 'blue', cloudAddresses: '10.9.0.0/24' });
    expect(opened?.balancing.clusterName).toBe('blue');
    expect(opened?.balancing.cloud).toMatchObject({ name: '{"clusterName":"blue","addresses":"10.9.0.0/24"}', closed: 0 });
    await opened?.close();
    expect(opened?.balancing.cloud).toMatchObject({ closed: 1 });
  });

  test('may have no load balancers: the controller reports that', async () => {
    const opened = await fromModule('bare.mjs', `export const createCloud = () => ({ name: 'bare' });`);
    expect(opened?.balancing.cloud.balancers).toBeUndefined();
    await opened?.close();
  });

  test.each([
    ['throws', '() => { throw new Error("https://me:s3cret@lb is away"); }', 'https://…@lb is away'],
    ['rejects', '() => Promise.reject({ code: "EAWAY" })', 'EAWAY'],
    ['is no function', '7', expect.any(String)],
    ['never answers', '() => new Promise(() => undefined)', 'no answer within 10 s'],
  ])('reports a close function that %s, and closes anyway', async (what, close, why) => {
    const file = `close-${what.replaceAll(' ', '-')}.mjs`;
    writeFiles(folder, { [file]: `export const createCloud = () => ({ name: 'a', close: ${close} });` });
    const reported: string[] = [];
    const clock = createClock();
    const log = (level: string, message: string): void => void reported.push(`${level} ${message}`);
    const opened = await openCloud({ ...none, cloud: join(folder, file) }, { log }, clock);
    const closed = opened?.close();
    await clock.pass(10_000);
    await closed;
    const [said = '', ...more] = reported;
    expect([said.split(': close() failed: '), more]).toEqual([[`error --cloud ${join(folder, file)}`, why], []]);
  });

  test.each<[string, string, RegExp]>([
    ['exports nothing', 'export const cloud = 1;', / exports no createCloud: export a function of that name that returns a cloud$/],
    [
      'throws',
      'export function createCloud() { throw new Error("no token: set TOKEN"); }',
      /^createCloud of .* failed: no token: set TOKEN$/,
    ],
    ['rejects with a text', 'export const createCloud = () => Promise.reject("no");', / failed: no$/],
    ['is no JavaScript', 'export const = 1;', /^--cloud .* cannot be loaded: /],
    ['answers with nothing', 'export const createCloud = () => undefined;', /returned an invalid cloud: it is a value of type undefined$/],
    ['answers with null', 'export const createCloud = () => null;', /returned an invalid cloud: it is null$/],
    ['has no name', 'export const createCloud = () => ({});', /returned an invalid cloud: its name must be a non-empty string$/],
    ['has odd balancers', 'export const createCloud = () => ({ name: "a", balancers: 7 });', /: its balancers must be an object$/],
    [
      'lacks functions',
      'export const createCloud = () => ({ name: "a", balancers: { get() {}, ensure() {}, update: 1 } });',
      /: its balancers have no function update, delete$/,
    ],
  ])('is refused if the module %s', async (what, text, message) => {
    const refused = fromModule(`${what.replaceAll(' ', '-')}.mjs`, text);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  test('is refused if its file does not exist', async () => {
    await expect(openCloud({ ...none, cloud: '/no/such/cloud.mjs' }, silent)).rejects.toThrow(
      /^--cloud \/no\/such\/cloud\.mjs cannot be loaded: there is no such file$/,
    );
    await expect(openCloud({ ...none, cloud: folder }, silent)).rejects.toThrow(/ cannot be loaded: there is no such file$/);
  });

  test('has a shorter timeout with --once', async () => {
    const opened = await openCloud({ ...none, cloud: 'memory', once: true }, silent);
    expect(opened?.balancing.cloudTimeout).toBe(60_000);
  });
});
