import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import { type PatchType, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createBuiltInStrategies, createRegistry, type Registry } from '../../src/registry/index.ts';
import { createStore } from '../../src/store/index.ts';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, keyInShop, object, seeded } from './support.ts';

describe('a patch', () => {
  it('is validated as an update', async () => {
    const { registry } = await createFixture();
    await registry.create(configMaps, 'shop', object('a'));
    const renamePatch = { metadata: { name: 'b' } };
    const status = await statusOfRejection(registry.patch(configMaps, keyInShop('a'), renamePatch, { type: 'merge' }));
    expect(status).toMatchObject({ code: 400, message: 'the name of the object (b) does not match the name on the URL (a)' });
    const stalePatch = { metadata: { resourceVersion: '1' } };
    expect(await statusOfRejection(registry.patch(configMaps, keyInShop('a'), stalePatch, { type: 'merge' }))).toMatchObject({ code: 409 });
  });

  it('writes only the status through its subresource', async () => {
    const { registry } = await createFixture();
    await registry.create(resources.pods, 'shop', object('p', { spec: { a: 1 } }));
    const patch = { spec: { a: 2 }, status: { phase: 'Running' } };
    const patched = await registry.patch(resources.pods, keyInShop('p'), patch, { type: 'merge', subresource: 'status' });
    expect(patched).toMatchObject({ spec: { a: 1 }, status: { phase: 'Running' } });
  });

  it('is refused if it applies a UID to an object that does not exist', async () => {
    const { registry } = await createFixture();
    const config = { apiVersion: 'v1', kind: 'ConfigMap', ...object('a', { metadata: { uid: 'u' } }) };
    const status = await statusOfRejection(registry.patch(configMaps, keyInShop('a'), config, { type: 'apply', fieldManager: 'x' }));
    expect(status.message).toContain('uid mismatch: the provided object specified uid u, and no existing object was found');
  });

  it('writes nothing if the same configuration is applied again', async () => {
    const { registry, clock } = await createFixture();
    const config = { apiVersion: 'v1', kind: 'ConfigMap', ...object('a', { data: { a: '1' } }) };
    const first = await registry.patch(configMaps, keyInShop('a'), config, { type: 'apply', fieldManager: 'x' });
    clock.advance(60_000);
    expect(await registry.patch(configMaps, keyInShop('a'), config, { type: 'apply', fieldManager: 'x' })).toBe(first);
  });
});

async function createRegistryWithConfigMap(): Promise<Registry> {
  const draw = seeded();
  const clusterIPs = { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) };
  const strategies = createBuiltInStrategies({ clusterIPs, defaultFamily: 'IPv4', nodePorts: createPortAllocator({ draw }) });
  const registry = createRegistry({ store: createStore(), strategies });
  await registry.create(resources.namespaces, undefined, { metadata: { name: 'shop' } });
  await registry.create(configMaps, 'shop', object('a', { data: { x: '<1>' } }));
  return registry;
}

async function rejectPatch(patch: unknown, type: PatchType): Promise<readonly [number | undefined, string]> {
  const registry = await createRegistryWithConfigMap();
  const { code, message = '' } = await statusOfRejection(registry.patch(configMaps, keyInShop('a'), patch, { type }));
  return [code, message];
}

describe('a patch that changes the kind of the object', () => {
  it.each([
    [{ kind: 'Nothing' }, 'no kind "Nothing" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
    [{ apiVersion: 'v2' }, 'no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"'],
    [{ apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
    [{ kind: 'Secret' }, 'illegal base64 data at input byte 0'],
    [{ kind: 'Endpoints' }, 'converting (v1.Endpoints) to (core.ConfigMap): unknown conversion'],
    [{ kind: 5 }, "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string"],
  ])('is refused: %j', async (patch, problem) => {
    const [code, message] = await rejectPatch(patch, 'merge');
    expect(code).toBe(422);
    expect(message.endsWith(`": ${problem}`)).toBe(true);
  });

  it('is refused if it replaces the object by a list', async () => {
    const type = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    const problem = `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${type}`;
    expect(await rejectPatch([{ op: 'replace', path: '', value: [1] }], 'json')).toEqual([
      422,
      ` "" is invalid: patch: Invalid value: "[1]": ${problem}`,
    ]);
  });

  it('is refused if it removes apiVersion, because all fields are then unknown', async () => {
    const warnings: string[] = [];
    const registry = await createRegistryWithConfigMap();
    const patch = { apiVersion: null };
    const warn = (warning: string): void => void warnings.push(warning);
    const { code, message } = await statusOfRejection(registry.patch(configMaps, keyInShop('a'), patch, { type: 'merge', warn }));
    expect([code, message]).toEqual([400, 'the name of the object (a based on URL) was undeterminable: name must be provided']);
    expect(warnings).toEqual(['unknown field "data"', 'unknown field "metadata"']);
  });

  it('is accepted if it removes kind, or if it is a strategic merge patch', async () => {
    const registry = await createRegistryWithConfigMap();
    const before = await registry.patch(configMaps, keyInShop('a'), {}, { type: 'merge' });
    expect(await registry.patch(configMaps, keyInShop('a'), { kind: null }, { type: 'merge' })).toBe(before);
    expect(await registry.patch(configMaps, keyInShop('a'), { kind: 'Secret' }, { type: 'strategic' })).toBe(before);
  });
});

describe('the message of a refused patch', () => {
  it('quotes the object as JSON, with sorted keys on the path of the patch', async () => {
    const [, message] = await rejectPatch({ data: { x: '<2>', a: 5 } }, 'merge');
    expect(message).toMatch(/^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\":\{\\"a\\":5,/);
    expect(message).toContain('\\"x\\":\\"\\\\u003c2\\\\u003e\\"},\\"kind\\":\\"ConfigMap\\",\\"metadata\\":{\\"name\\":\\"a\\",');
  });

  it('quotes a strategic merge patch as Go prints a map', async () => {
    expect(await rejectPatch({ data: { x: [1], b: null }, extra: 1 }, 'strategic')).toEqual([
      422,
      ' "" is invalid: patch: Invalid value: "map[data:map[b:<nil> x:[1]] extra:1]": unrecognized type: string',
    ]);
  });

  it('lists all strict errors, sorted, with fieldValidation Strict', async () => {
    const registry = await createRegistryWithConfigMap();
    const patch = { z: 1, metadata: { strange: 1 }, extra: 1 };
    const options = { fieldValidation: 'Strict', strictErrors: ['duplicate field "data.a"'] } as const;
    const strategic = await statusOfRejection(registry.patch(configMaps, keyInShop('a'), patch, { type: 'strategic', ...options }));
    const problems = 'duplicate field "data.a", unknown field "extra", unknown field "metadata.strange", unknown field "z"';
    expect(strategic.message).toBe(
      ` "" is invalid: patch: Invalid value: "map[extra:1 metadata:map[strange:1] z:1]": strict decoding error: ${problems}`,
    );
    expect(strategic.details).not.toHaveProperty('kind');
    const merged = await statusOfRejection(registry.patch(configMaps, keyInShop('a'), patch, { type: 'merge', ...options }));
    expect(merged.message).toMatch(
      /Invalid value: "\{\\"apiVersion\\".*strict decoding error: duplicate field "data.a", unknown field "extra"/,
    );
  });
});
