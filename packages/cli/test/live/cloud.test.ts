import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder, writeFiles } from '../../../../test/support/temporary.ts';
import { createClock } from '../../../controllers/test/queue/clock.ts';
import { UsageError } from '../../src/base/io.ts';
import { openCloud } from '../../src/live/cloud.ts';

const noCloud = { cloud: undefined, clusterName: undefined, cloudAddresses: undefined };
const silentLogger = { log: () => undefined };
const folder = makeFolder();
const functions = 'get: f, ensure: f, update: f, delete: f';

/** Writes a module and opens its cloud. */
function openFromModule(file: string, text: string, flags = {}) {
  writeFiles(folder, { [file]: text });
  return openCloud({ ...noCloud, cloud: join(folder, file), ...flags }, silentLogger);
}

describe('a built-in cloud', () => {
  test('is undefined without --cloud', async () => {
    expect(await openCloud(noCloud, silentLogger)).toBeUndefined();
  });

  test.each(['memory', 'tcp'])('is opened by its name: %s', async (cloud) => {
    const openedCloud = await openCloud({ ...noCloud, cloud }, silentLogger);
    expect(openedCloud?.balancingOptions).toEqual({
      clusterName: 'kubernetes',
      cloud: expect.objectContaining({ balancers: expect.any(Object) }),
    });
    await openedCloud?.close();
  });

  test.each(['memory', 'tcp'])('validates --cloud-addresses: %s', async (cloud) => {
    await expect(openCloud({ ...noCloud, cloud, cloudAddresses: '10.0.0.0' }, silentLogger)).rejects.toThrow(
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
    const openedCloud = await openFromModule('good.mjs', text, { clusterName: 'blue', cloudAddresses: '10.9.0.0/24' });
    expect(openedCloud?.balancingOptions.clusterName).toBe('blue');
    expect(openedCloud?.balancingOptions.cloud).toMatchObject({ name: '{"clusterName":"blue","addresses":"10.9.0.0/24"}', closed: 0 });
    await openedCloud?.close();
    expect(openedCloud?.balancingOptions.cloud).toMatchObject({ closed: 1 });
  });

  test('may have no load balancers: the controller reports that', async () => {
    const openedCloud = await openFromModule('name-only.mjs', `export const createCloud = () => ({ name: 'name-only' });`);
    expect(openedCloud?.balancingOptions.cloud.balancers).toBeUndefined();
    await openedCloud?.close();
  });

  test.each([
    ['throws', '() => { throw new Error("https://me:s3cret@lb is away"); }', 'https://…@lb is away'],
    ['rejects', '() => Promise.reject({ code: "EAWAY" })', 'EAWAY'],
    ['is not a function', '7', expect.any(String)],
    ['never answers', '() => new Promise(() => undefined)', 'no answer within 10 s'],
  ])('reports a close function that %s, and closes anyway', async (description, close, message) => {
    const file = `close-${description.replaceAll(' ', '-')}.mjs`;
    writeFiles(folder, { [file]: `export const createCloud = () => ({ name: 'a', close: ${close} });` });
    const messages: string[] = [];
    const clock = createClock();
    const log = (level: string, message: string): void => void messages.push(`${level} ${message}`);
    const openedCloud = await openCloud({ ...noCloud, cloud: join(folder, file) }, { log }, clock);
    const closed = openedCloud?.close();
    await clock.pass(10_000);
    await closed;
    const [line = '', ...otherLines] = messages;
    expect([line.split(': close() failed: '), otherLines]).toEqual([[`error --cloud ${join(folder, file)}`, message], []]);
  });

  test.each<[string, string, RegExp]>([
    ['exports nothing', 'export const cloud = 1;', / exports no createCloud: export a function of that name that returns a cloud$/],
    [
      'throws',
      'export function createCloud() { throw new Error("no token: set TOKEN"); }',
      /^createCloud of .* failed: no token: set TOKEN$/,
    ],
    ['rejects with a text', 'export const createCloud = () => Promise.reject("no");', / failed: no$/],
    ['is not JavaScript', 'export const = 1;', /^--cloud .* cannot be loaded: /],
    ['returns undefined', 'export const createCloud = () => undefined;', /returned an invalid cloud: it is a value of type undefined$/],
    ['returns null', 'export const createCloud = () => null;', /returned an invalid cloud: it is null$/],
    [
      'returns a cloud without a name',
      'export const createCloud = () => ({});',
      /returned an invalid cloud: its name must be a non-empty string$/,
    ],
    [
      'returns a cloud whose balancers are a number',
      'export const createCloud = () => ({ name: "a", balancers: 7 });',
      /: its balancers must be an object$/,
    ],
    [
      'returns a cloud without some functions',
      'export const createCloud = () => ({ name: "a", balancers: { get() {}, ensure() {}, update: 1 } });',
      /: its balancers have no function update, delete$/,
    ],
  ])('is refused if the module %s', async (description, text, message) => {
    const refused = openFromModule(`${description.replaceAll(' ', '-')}.mjs`, text);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  test('is refused if its file does not exist', async () => {
    await expect(openCloud({ ...noCloud, cloud: '/no/such/cloud.mjs' }, silentLogger)).rejects.toThrow(
      /^--cloud \/no\/such\/cloud\.mjs cannot be loaded: there is no such file$/,
    );
    await expect(openCloud({ ...noCloud, cloud: folder }, silentLogger)).rejects.toThrow(/ cannot be loaded: there is no such file$/);
  });

  test('has a shorter timeout with --once', async () => {
    const openedCloud = await openCloud({ ...noCloud, cloud: 'memory', once: true }, silentLogger);
    expect(openedCloud?.balancingOptions.cloudTimeout).toBe(60_000);
  });
});
