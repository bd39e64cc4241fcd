import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { randomnessFrom } from '../../src/registry/context.ts';
import { generateName, maxNameAttempts } from '../../src/registry/create.ts';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, keyInShop, object, seeded, startTime } from './support.ts';

/** Draws with this bound choose the characters of generated names; all other draws are for UIDs. */
const nameAlphabetSize = 27;

describe('create', () => {
  it('overwrites the metadata that the server manages', async () => {
    const { registry } = await createFixture();
    const metadata = {
      uid: 'mine',
      creationTimestamp: '2000-01-01T00:00:00Z',
      deletionTimestamp: '2000-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
    };
    const { metadata: created } = await registry.create(configMaps, 'shop', object('a', { metadata }));
    expect(created.creationTimestamp).toBe(startTime);
    expect(created.uid).not.toBe('mine');
    expect(created).not.toHaveProperty('deletionTimestamp');
    expect(created).not.toHaveProperty('deletionGracePeriodSeconds');
  });

  it('sets the namespace of the request, and refuses an object with another namespace', async () => {
    const { registry } = await createFixture();
    expect((await registry.create(configMaps, 'shop', { metadata: { name: 'a' } })).metadata.namespace).toBe('shop');
    const status = await statusOfRejection(registry.create(configMaps, 'default', object('a')));
    expect(status.message).toBe('the namespace of the provided object does not match the namespace sent on the request');
    expect(status.code).toBe(400);
  });

  it('fails after eight generated names that exist already', async () => {
    let draws = 0;
    const draw = (bound: number): number => {
      draws += 1;
      return bound === nameAlphabetSize ? 0 : seeded(draws)(bound);
    };
    const { registry } = await createFixture({ draw });
    const generated = { metadata: { generateName: 'a-' } };
    expect((await registry.create(configMaps, 'shop', generated)).metadata.name).toBe('a-bbbbb');
    const status = await statusOfRejection(registry.create(configMaps, 'shop', generated));
    expect(status.message).toBe('configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object');
    expect(status.details?.retryAfterSeconds).toBe(1);
  });

  it('retries generated names until one is free', async () => {
    // Each name of five characters is drawn twice in a row.
    let round = 0;
    const random = seeded();
    const draw = (bound: number): number => (bound === nameAlphabetSize ? Math.min(Math.floor(round++ / 10), 26) : random(bound));
    const { registry } = await createFixture({ draw });
    const names = [];
    for (let i = 0; i < 3; i++) names.push((await registry.create(configMaps, 'shop', { metadata: { generateName: 'a-' } })).metadata.name);
    expect(names).toEqual(['a-bbbbb', 'a-ccccc', 'a-ddddd']);
  });

  it('reports that the existing object is being deleted', async () => {
    const { registry } = await createFixture();
    await registry.create(configMaps, 'shop', object('a', { metadata: { finalizers: ['example.com/x'] } }));
    await registry.delete(configMaps, keyInShop('a'));
    const status = await statusOfRejection(registry.create(configMaps, 'shop', object('a')));
    expect(status).toMatchObject({ code: 409, message: 'object is being deleted: configmaps "a" already exists' });
  });

  it('refuses an invalid object with its causes, and stores nothing', async () => {
    const { registry, store } = await createFixture();
    const before = store.revision;
    const status = await statusOfRejection(registry.create(configMaps, 'shop', object('A')));
    expect(status).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'A', kind: 'ConfigMap' } });
    expect(status.message).toMatch(/^ConfigMap "A" is invalid: metadata\.name: Invalid value: "A": /);
    expect(store.revision).toBe(before);
  });

  it('places resourceVersion among the metadata fields as kube-apiserver does', async () => {
    const { registry } = await createFixture();
    const { metadata } = await registry.create(configMaps, 'shop', object('a'));
    expect(Object.keys(metadata)).toEqual(['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']);
  });

  it('refuses a resourceVersion', async () => {
    const { registry } = await createFixture();
    const status = await statusOfRejection(registry.create(configMaps, 'shop', object('a', { metadata: { resourceVersion: '5' } })));
    expect(status).toMatchObject({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
  });

  it('calls mutating admission before validating admission', async () => {
    const seen: unknown[] = [];
    const { registry } = await createFixture({
      admission: {
        mutate: async ({ object: input, key, operation, resource }) => {
          seen.push([operation, resource.plural, key.name]);
          return { ...input, data: { by: 'admission' } } as typeof input & object;
        },
        validate: ({ object: input, resource }) => {
          if (resource.plural === 'configmaps' && input?.metadata.name === 'bad') throw new Error('refused');
        },
      },
    });
    expect(await registry.create(configMaps, 'shop', object('a'))).toMatchObject({ data: { by: 'admission' } });
    await expect(registry.create(configMaps, 'shop', object('bad'))).rejects.toThrow('refused');
    expect(seen).toContainEqual(['CREATE', 'configmaps', 'bad']);
    expect(registry.store.list(configMaps).items).toHaveLength(1);
  });

  it('refuses a namespace that does not exist', async () => {
    const { registry } = await createFixture();
    const status = await statusOfRejection(registry.create(resources.services, 'nowhere', { metadata: { name: 'a' } }));
    expect(status).toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
      details: { name: 'nowhere', kind: 'namespaces' },
    });
  });

  it('passes warnings to the caller', async () => {
    const { registry } = await createFixture();
    const warnings: string[] = [];
    const warn = (warning: string): void => void warnings.push(warning);
    const service = object('a', { spec: { ports: [{ port: 80 }], externalIPs: ['fd00:0::1'] } });
    await registry.create(resources.services, 'shop', service, { warn });
    const created = await registry.create(configMaps, 'shop', object('a', { wrong: 1 }), { warn });
    await registry.update(configMaps, keyInShop('a'), () => ({ ...created, wrong: 2 }), { warn, fieldValidation: 'Ignore' });
    await registry.patch(configMaps, keyInShop('a'), { wrong: 3 }, { type: 'merge', warn });
    expect(warnings).toEqual([
      expect.stringContaining('spec.externalIPs[0]'),
      expect.stringContaining('spec.externalIPs is deprecated'),
      'unknown field "wrong"',
      'unknown field "wrong"',
    ]);
  });
});

describe('a new object', () => {
  it('gets uid and creationTimestamp from the option preservedMetadata, not from its body', async () => {
    const { registry } = await createFixture();
    const preservedMetadata = { uid: 'ffffffff-0000-4000-8000-000000000000', creationTimestamp: '2020-01-01T00:00:00Z' };
    expect((await registry.create(configMaps, 'shop', object('a'), { preservedMetadata })).metadata).toMatchObject(preservedMetadata);
    expect((await registry.create(configMaps, 'shop', object('b', { metadata: preservedMetadata }))).metadata).not.toMatchObject({
      uid: preservedMetadata.uid,
    });
  });

  it('is reported to onCreate if an update or an apply creates it', async () => {
    const { registry } = await createFixture();
    const createdNames: string[] = [];
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } };
    const apply = { type: 'apply', fieldManager: 'm', onCreate: () => void createdNames.push('a') } as const;
    await registry.patch(configMaps, keyInShop('a'), config, apply);
    await registry.patch(configMaps, keyInShop('a'), { ...config, data: { a: '1' } }, apply);
    await registry.update(resources.endpoints, keyInShop('e'), () => object('e'), { onCreate: () => void createdNames.push('e') });
    expect(createdNames).toEqual(['a', 'e']);
  });

  it('is prepared again for each generated name', async () => {
    const occupied = new Set<string>();
    const { registry } = await createFixture();
    const body = { metadata: { generateName: 'p-', labels: { app: 'a' } }, data: { a: '1' } } as ApiObject;
    const strategy = registry.strategyFor(configMaps);
    const seen: unknown[] = [];
    registry.serve({
      ...strategy,
      checkCreate(input) {
        seen.push(structuredClone(input['data']));
        (input['data'] as Record<string, string>)['prepared'] = 'yes';
        if (occupied.size === 0) {
          occupied.add(input.metadata.name as string);
          registry.store.create(configMaps, keyInShop(input.metadata.name as string), object(input.metadata.name as string));
        }
        return strategy.checkCreate(input);
      },
    });
    await registry.create(configMaps, 'shop', body);
    expect(seen).toEqual([{ a: '1' }, { a: '1' }]);
  });
});

describe('generateName', () => {
  it('appends five characters of the alphabet to the base', () => {
    expect(
      generateName(
        'web-',
        randomnessFrom(() => 0),
      ),
    ).toBe('web-bbbbb');
    expect(
      generateName(
        'web-',
        randomnessFrom((bound) => bound - 1),
      ),
    ).toBe('web-99999');
  });

  it('cuts the base so that the name has 63 characters', () => {
    expect(
      generateName(
        'x'.repeat(70),
        randomnessFrom(() => 1),
      ),
    ).toBe(`${'x'.repeat(58)}ccccc`);
  });

  it('makes eight attempts', () => {
    expect(maxNameAttempts).toBe(8);
  });
});
