import { describe, expect, it } from 'vitest';
import { configMaps, type PortFactory, type PortUnderTest } from './describe-client-port.ts';
import { configMap, keyOf, namesOf, statusOf, versionOf, withPort } from './support.ts';

export function describeLists(make: PortFactory): void {
  describe('selectors', () => describeSelectors(make));
  describe('pages', () => describePages(make));
  describe('resource versions of reads', () => describeResourceVersions(make));
  describe('abort signals', () => describeAbortSignals(make));
}

const testSelector = { labelSelector: 'test' };

async function createConfigMaps(context: PortUnderTest, names: readonly string[]): Promise<void> {
  for (const name of names) await context.port.create(configMaps, configMap(context, name, { labels: { test: name } }));
}

function describeSelectors(make: PortFactory): void {
  it(
    'selects by labels and by name, and sorts the objects by name',
    withPort(make, async (context) => {
      await createConfigMaps(context, ['c', 'a', 'b']);
      const { namespace } = context;
      const listNames = async (selection: object): Promise<unknown> =>
        namesOf((await context.port.list(configMaps, { namespace, ...selection })).items);
      expect(await listNames(testSelector)).toStrictEqual(['a', 'b', 'c']);
      expect(await listNames({ labelSelector: 'test in (a,c)' })).toStrictEqual(['a', 'c']);
      expect(await listNames({ labelSelector: 'test,test!=a' })).toStrictEqual(['b', 'c']);
      expect(await listNames({ fieldSelector: 'metadata.name=b' })).toStrictEqual(['b']);
    }),
  );

  it(
    'refuses invalid selectors, and fields without selector support',
    withPort(make, async (context) => {
      expect(await statusOf(context.port.list(configMaps, { labelSelector: 'a in' }))).toMatchObject({ code: 400, reason: 'BadRequest' });
      expect(await statusOf(context.port.list(configMaps, { fieldSelector: 'data.a=b' }))).toMatchObject({
        code: 400,
        reason: 'BadRequest',
      });
    }),
  );
}

function describePages(make: PortFactory): void {
  it(
    'returns one snapshot across all pages',
    withPort(make, async (context) => {
      await createConfigMaps(context, ['a', 'b', 'c', 'd', 'e']);
      const { namespace, port } = context;
      const first = await port.list(configMaps, { namespace, limit: 2, ...testSelector });
      expect(namesOf(first.items)).toStrictEqual(['a', 'b']);
      await port.delete(configMaps, keyOf(context, 'd'));
      await createConfigMaps(context, ['bb']);
      const second = await port.list(configMaps, { namespace, limit: 2, ...testSelector, ...tokenOf(first) });
      const third = await port.list(configMaps, { namespace, limit: 2, ...testSelector, ...tokenOf(second) });
      expect(namesOf([...second.items, ...third.items])).toStrictEqual(['c', 'd', 'e']);
      expect(third.metadata.continue ?? '').toBe('');
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    }),
  );

  it(
    'refuses an invalid continue token, and reports Expired after compaction',
    withPort(make, async (context) => {
      const { namespace, port, compact } = context;
      expect(await statusOf(port.list(configMaps, { namespace, limit: 1, continue: 'no token' }))).toMatchObject({ code: 400 });
      if (!compact) return;
      await createConfigMaps(context, ['a', 'b']);
      const first = await port.list(configMaps, { namespace, limit: 1, ...testSelector });
      await createConfigMaps(context, ['c']);
      await compact();
      const status = await statusOf(port.list(configMaps, { namespace, limit: 1, ...testSelector, ...tokenOf(first) }));
      expect(status).toMatchObject({ code: 410, reason: 'Expired' });
    }),
  );
}

function describeResourceVersions(make: PortFactory): void {
  it(
    'returns the exact version for Exact, and a version that is not older for NotOlderThan',
    withPort(make, async (context) => {
      const { namespace, port } = context;
      await createConfigMaps(context, ['a']);
      const oldList = await port.list(configMaps, { namespace, ...testSelector });
      await createConfigMaps(context, ['b']);
      const { resourceVersion } = oldList.metadata;
      const exactList = await port.list(configMaps, { namespace, ...testSelector, resourceVersion, resourceVersionMatch: 'Exact' });
      expect(namesOf(exactList.items)).toStrictEqual(['a']);
      expect(exactList.metadata.resourceVersion).toBe(resourceVersion);
      const newerList = await port.list(configMaps, { namespace, ...testSelector, resourceVersion, resourceVersionMatch: 'NotOlderThan' });
      expect(Number(newerList.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
      expect(namesOf((await port.list(configMaps, { namespace, ...testSelector })).items)).toStrictEqual(['a', 'b']);
    }),
  );

  it(
    'refuses resourceVersionMatch without a resourceVersion',
    withPort(make, async ({ port }) => {
      expect(await statusOf(port.list(configMaps, { resourceVersionMatch: 'Exact' }))).toMatchObject({ code: 422, reason: 'Invalid' });
    }),
  );

  it(
    'times out waiting for a future version',
    withPort(make, async (context) => {
      if (!context.passTime) return;
      const created = await context.port.create(configMaps, configMap(context, 'a'));
      const resourceVersion = String(Number(versionOf(created)) + 1000);
      const pendingStatus = statusOf(context.port.get(configMaps, keyOf(context, 'a'), { resourceVersion }));
      await context.passTime(5000);
      expect(await pendingStatus).toMatchObject({ code: 504, reason: 'Timeout' });
    }),
  );
}

function describeAbortSignals(make: PortFactory): void {
  it(
    'does not start a call whose signal is already aborted',
    withPort(make, async (context) => {
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      const { port, namespace } = context;
      await expect(port.get(configMaps, keyOf(context, 'a'), { signal })).rejects.toBe(reason);
      await expect(port.list(configMaps, { namespace, signal })).rejects.toBe(reason);
      await expect(port.create(configMaps, configMap(context, 'a'), { signal })).rejects.toBe(reason);
      expect(await statusOf(port.get(configMaps, keyOf(context, 'a')))).toMatchObject({ code: 404 });
    }),
  );
}

const tokenOf = ({ metadata }: { readonly metadata: { readonly continue?: string } }): { readonly continue: string } => {
  expect(metadata.continue).toBeTruthy();
  return { continue: metadata.continue as string };
};
