import { describe, expect, it } from 'vitest';
import { configMaps, type MakePort, type PortUnderTest } from './describe-client-port.ts';
import { configMap, keyOf, namesOf, statusOf, versionOf, withPort } from './support.ts';

export function describeLists(make: MakePort): void {
  describe('selectors', () => describeSelectors(make));
  describe('pages', () => describePages(make));
  describe('resource versions of a list', () => describeVersions(make));
  describe('abort signals', () => describeSignals(make));
}

const selected = { labelSelector: 'test' };

async function fill(under: PortUnderTest, names: readonly string[]): Promise<void> {
  for (const name of names) await under.port.create(configMaps, configMap(under, name, { labels: { test: name } }));
}

function describeSelectors(make: MakePort): void {
  it(
    'selects by labels and by name, in the order of names',
    withPort(make, async (under) => {
      await fill(under, ['c', 'a', 'b']);
      const { namespace } = under;
      const namesWhere = async (selection: object): Promise<unknown> =>
        namesOf((await under.port.list(configMaps, { namespace, ...selection })).items);
      expect(await namesWhere(selected)).toStrictEqual(['a', 'b', 'c']);
      expect(await namesWhere({ labelSelector: 'test in (a,c)' })).toStrictEqual(['a', 'c']);
      expect(await namesWhere({ labelSelector: 'test,test!=a' })).toStrictEqual(['b', 'c']);
      expect(await namesWhere({ fieldSelector: 'metadata.name=b' })).toStrictEqual(['b']);
    }),
  );

  it(
    'refuses invalid selectors, and fields without selector support',
    withPort(make, async (under) => {
      expect(await statusOf(under.port.list(configMaps, { labelSelector: 'a in' }))).toMatchObject({ code: 400, reason: 'BadRequest' });
      expect(await statusOf(under.port.list(configMaps, { fieldSelector: 'data.a=b' }))).toMatchObject({ code: 400, reason: 'BadRequest' });
    }),
  );
}

function describePages(make: MakePort): void {
  it(
    'returns one snapshot across all pages',
    withPort(make, async (under) => {
      await fill(under, ['a', 'b', 'c', 'd', 'e']);
      const { namespace, port } = under;
      const first = await port.list(configMaps, { namespace, limit: 2, ...selected });
      expect(namesOf(first.items)).toStrictEqual(['a', 'b']);
      await port.delete(configMaps, keyOf(under, 'd'));
      await fill(under, ['bb']);
      const second = await port.list(configMaps, { namespace, limit: 2, ...selected, ...tokenOf(first) });
      const third = await port.list(configMaps, { namespace, limit: 2, ...selected, ...tokenOf(second) });
      expect(namesOf([...second.items, ...third.items])).toStrictEqual(['c', 'd', 'e']);
      expect(third.metadata.continue ?? '').toBe('');
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    }),
  );

  it(
    'refuses an invalid continue token, and reports Expired after compaction',
    withPort(make, async (under) => {
      const { namespace, port, compact } = under;
      expect(await statusOf(port.list(configMaps, { namespace, limit: 1, continue: 'no token' }))).toMatchObject({ code: 400 });
      if (!compact) return;
      await fill(under, ['a', 'b']);
      const first = await port.list(configMaps, { namespace, limit: 1, ...selected });
      await fill(under, ['c']);
      await compact();
      const status = await statusOf(port.list(configMaps, { namespace, limit: 1, ...selected, ...tokenOf(first) }));
      expect(status).toMatchObject({ code: 410, reason: 'Expired' });
    }),
  );
}

function describeVersions(make: MakePort): void {
  it(
    'returns the exact version, or one that is not older',
    withPort(make, async (under) => {
      const { namespace, port } = under;
      await fill(under, ['a']);
      const before = await port.list(configMaps, { namespace, ...selected });
      await fill(under, ['b']);
      const { resourceVersion } = before.metadata;
      const exact = await port.list(configMaps, { namespace, ...selected, resourceVersion, resourceVersionMatch: 'Exact' });
      expect(namesOf(exact.items)).toStrictEqual(['a']);
      expect(exact.metadata.resourceVersion).toBe(resourceVersion);
      const newer = await port.list(configMaps, { namespace, ...selected, resourceVersion, resourceVersionMatch: 'NotOlderThan' });
      expect(Number(newer.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
      expect(namesOf((await port.list(configMaps, { namespace, ...selected })).items)).toStrictEqual(['a', 'b']);
    }),
  );

  it(
    'refuses incompatible options',
    withPort(make, async ({ port }) => {
      expect(await statusOf(port.list(configMaps, { resourceVersionMatch: 'Exact' }))).toMatchObject({ code: 422, reason: 'Invalid' });
    }),
  );

  it(
    'times out waiting for a future version',
    withPort(make, async (under) => {
      if (!under.passTime) return;
      const created = await under.port.create(configMaps, configMap(under, 'a'));
      const resourceVersion = String(Number(versionOf(created)) + 1000);
      const answer = statusOf(under.port.get(configMaps, keyOf(under, 'a'), { resourceVersion }));
      await under.passTime(5000);
      expect(await answer).toMatchObject({ code: 504, reason: 'Timeout' });
    }),
  );
}

function describeSignals(make: MakePort): void {
  it(
    'does not start a call whose signal is already aborted',
    withPort(make, async (under) => {
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      const { port, namespace } = under;
      await expect(port.get(configMaps, keyOf(under, 'a'), { signal })).rejects.toBe(reason);
      await expect(port.list(configMaps, { namespace, signal })).rejects.toBe(reason);
      await expect(port.create(configMaps, configMap(under, 'a'), { signal })).rejects.toBe(reason);
      expect(await statusOf(port.get(configMaps, keyOf(under, 'a')))).toMatchObject({ code: 404 });
    }),
  );
}

const tokenOf = ({ metadata }: { readonly metadata: { readonly continue?: string } }): { readonly continue: string } => {
  expect(metadata.continue).toBeTruthy();
  return { continue: metadata.continue as string };
};
