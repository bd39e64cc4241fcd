import { describe, expect, it } from 'vitest';
import { withApproval } from '../../../src/custom-resources/controller/custom-resources.ts';
import {
  cleanupFinalizer,
  conditionIn,
  type Definition,
  type DefinitionSpec,
} from '../../../src/custom-resources/definition/definition.ts';
import { createCustomResources, customResourceDefinitions as definitions } from '../../../src/custom-resources/index.ts';
import { createCatalog } from '../../../src/registry/catalog.ts';
import { definition, thing, things, version } from '../support.ts';
import { createWorld, namesOf, turn, type World } from './world.ts';

const name = 'things.example.com';
const v2 = { ...things, version: 'v2' };
const isServed = ({ registry, catalog }: World, resource = things): readonly boolean[] => [
  registry.resources.some((each) => each.group === resource.group && each.version === resource.version && each.plural === resource.plural),
  catalog
    .all()
    .some(({ resource: each }) => each.group === resource.group && each.version === resource.version && each.plural === resource.plural),
];

async function defined(spec?: Partial<DefinitionSpec>): Promise<World> {
  const world = await createWorld();
  await world.define(definition(spec));
  await world.custom.settle();
  return world;
}

async function change(world: World, make: (spec: DefinitionSpec) => DefinitionSpec): Promise<void> {
  const current = await world.definition();
  await world.port.update(definitions, { ...current, spec: make(current.spec as DefinitionSpec) } as Definition);
  await world.custom.settle();
}

describe('a definition that is created', () => {
  it('is established and served in the next turn of the event loop', async () => {
    const world = await createWorld();
    await world.define(definition());
    await turn();
    expect(isServed(world)).toEqual([true, true]);
    expect((await world.definition()).status).toEqual({
      acceptedNames: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      storedVersions: ['v1'],
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
          lastTransitionTime: '2026-01-02T03:04:05Z',
        },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
          lastTransitionTime: '2026-01-02T03:04:05Z',
        },
      ],
    });
    expect(await world.port.create(things, thing({ spec: { a: 1 } }))).toMatchObject({ spec: { a: 1 }, metadata: { generation: 1 } });
    expect(world.clock.scheduled).toBe(0);
  });

  it('is not served after close, but by the next controller', async () => {
    const world = await createWorld();
    world.custom.close();
    await world.define(definition());
    await turn();
    expect(isServed(world)).toEqual([false, false]);
    const { registry, clock } = world;
    await createCustomResources({ registry, clock, catalog: createCatalog([]) }).settle();
    expect(registry.resources).toContainEqual(things);
  });

  it('waits while another definition has its names, and is served once that is deleted', async () => {
    const world = await defined();
    await world.define(definition({ names: { plural: 'rivals', kind: 'Thing' } }));
    await world.custom.settle();
    expect(conditionIn(await world.definition('rivals.example.com'), 'NamesAccepted')).toMatchObject({
      status: 'False',
      reason: 'ListKindConflict',
    });
    expect(isServed(world, { ...things, plural: 'rivals' })).toEqual([false, false]);
    await world.port.delete(definitions, { name });
    await world.custom.settle();
    expect(isServed(world)).toEqual([false, false]);
    expect(isServed(world, { ...things, plural: 'rivals' })).toEqual([true, true]);
  });

  it('does not replace a built-in resource', async () => {
    const world = await createWorld();
    const builtIn = { ...things, group: 'x.k8s.io' };
    world.catalog.add({ ...(world.catalog.all()[0] as ReturnType<typeof world.catalog.all>[number]), resource: builtIn });
    await world.define(definition({ group: 'x.k8s.io' }, { annotations: { 'api-approved.kubernetes.io': 'unapproved' } }));
    await world.custom.settle();
    expect(isServed(world, builtIn)).toEqual([false, true]);
    await world.port.delete(definitions, { name: 'things.x.k8s.io' });
    await world.custom.settle();
    expect(isServed(world, builtIn)).toEqual([false, true]);
    expect(await namesOf(world.port, definitions)).toEqual([]);
  });
});

describe('a definition that changes', () => {
  it('ends watches of its objects if its spec changes', async () => {
    const world = await defined();
    const events = world.port.watch(things)[Symbol.asyncIterator]();
    await change(world, (spec) => ({
      ...spec,
      versions: [version('v1', { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }] })],
    }));
    expect(await events.next()).toMatchObject({ done: true });
    expect(
      world.catalog
        .all()
        .find(({ resource }) => resource.plural === 'things')
        ?.columns.map((each) => each.name),
    ).toEqual(['Name', 'A']);
  });

  it('keeps watches of its objects if only its metadata changes', async () => {
    const world = await defined();
    const events = world.port.watch(things)[Symbol.asyncIterator]();
    const current = await world.definition();
    await world.port.update(definitions, { ...current, metadata: { ...current.metadata, labels: { a: 'b' } } });
    await world.custom.settle();
    await world.port.create(things, thing());
    expect(await events.next()).toMatchObject({ value: { type: 'ADDED' } });
  });

  it('serves stored objects in a new version', async () => {
    const world = await defined();
    await world.port.create(things, thing({ spec: { a: 1 } }));
    await change(world, (spec) => ({
      ...spec,
      versions: [version('v1', { storage: false, served: false }), version('v2', { storage: true })],
    }));
    expect([isServed(world), isServed(world, v2)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(await world.port.get(v2, { name: 'one', namespace: 'default' })).toMatchObject({ apiVersion: 'example.com/v2', spec: { a: 1 } });
    expect((await world.definition()).status?.storedVersions).toEqual(['v1', 'v2']);
  });

  it('serves stored objects under the new schema, pruned and with defaults', async () => {
    const world = await defined();
    const key = { name: 'one', namespace: 'default' };
    await world.port.create(things, thing({ spec: { a: 1 }, status: { n: 1 } }));
    const spec = { type: 'object', properties: { b: { type: 'string', default: 'x' } } };
    await change(world, (current) => ({
      ...current,
      versions: [version('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } })],
    }));
    const shown = await world.port.get(things, key);
    expect(shown).toMatchObject({ spec: { b: 'x' } });
    expect([shown['status'], (shown['spec'] as { a?: unknown }).a]).toEqual([undefined, undefined]);
  });
});

describe('a definition that is deleted', () => {
  it('deletes its objects first', async () => {
    const world = await defined();
    await world.port.create(things, thing());
    const { resourceVersion = '' } = (await world.definition()).metadata;
    const events = world.port.watch(definitions, { resourceVersion })[Symbol.asyncIterator]();
    await world.port.delete(definitions, { name });
    const begun = (await world.definition()) as Definition;
    expect(begun.metadata).toMatchObject({ deletionTimestamp: '2026-01-02T03:04:05Z', finalizers: [cleanupFinalizer] });
    expect(conditionIn(begun, 'Terminating')).toMatchObject({ status: 'True', reason: 'InstanceDeletionPending' });
    await world.custom.settle();
    expect(await namesOf(world.port, definitions)).toEqual([]);
    expect(isServed(world)).toEqual([false, false]);
    expect(world.store.list(things).items).toEqual([]);
    const seen: unknown[] = [];
    while (seen.at(-1) !== 'DELETED') {
      const { value } = await events.next();
      seen.push(conditionIn(value.object as Definition, 'Terminating')?.reason, value.type);
    }
    expect(seen.slice(-4)).toEqual(['InstanceDeletionInProgress', 'MODIFIED', 'InstanceDeletionInProgress', 'DELETED']);
  });

  it('waits for the finalizers of its objects and refuses creates', async () => {
    const world = await defined();
    await world.port.create(things, thing({}, { finalizers: ['example.com/wait'] }));
    await world.port.delete(definitions, { name });
    await world.custom.settle();
    expect(conditionIn(await world.definition(), 'Terminating')?.reason).toBe('InstanceDeletionInProgress');
    await expect(world.port.create(things, thing({}, { name: 'two' }))).rejects.toThrow(
      'create not allowed while custom resource definition is terminating',
    );
    const waiting = await world.port.get(things, { name: 'one', namespace: 'default' });
    expect(waiting.metadata.deletionTimestamp).toBeDefined();
    const { finalizers: _, ...metadata } = waiting.metadata;
    await world.port.update(things, { ...waiting, metadata });
    await turn();
    expect(await namesOf(world.port, definitions)).toEqual([]);
  });

  it('deletes objects of a version that is not served', async () => {
    const world = await defined();
    await world.port.create(things, thing());
    await change(world, (spec) => ({ ...spec, versions: [version('v1', { served: false })] }));
    await world.port.delete(definitions, { name });
    await world.custom.settle();
    expect(await namesOf(world.port, definitions)).toEqual([]);
    expect(world.store.list(things).items).toEqual([]);
  });

  it('is removed at once if it was never established', async () => {
    const world = await defined();
    await world.define(definition({ names: { plural: 'rivals', kind: 'Thing' } }));
    await world.custom.settle();
    await world.port.delete(definitions, { name: 'rivals.example.com' });
    await world.custom.settle();
    expect(await namesOf(world.port, definitions)).toEqual([name]);
  });

  it('can be created again', async () => {
    const world = await defined();
    await world.port.delete(definitions, { name });
    await world.custom.settle();
    await world.define(definition({ scope: 'Cluster' }));
    await world.custom.settle();
    expect(
      (await world.port.create({ ...things, namespaced: false }, { ...thing(), metadata: { name: 'one' } })).metadata.namespace,
    ).toBeUndefined();
  });
});

describe('a failed round', () => {
  it('is reported and retried', async () => {
    let isDown = true;
    const world = await createWorld({
      admission: {
        validate({ subresource }) {
          if (isDown && subresource === 'status') throw new Error('the webhook is down');
        },
      },
    });
    await world.define(definition());
    await turn();
    expect(world.failures.map(String)).toEqual(['Error: the webhook is down']);
    isDown = false;
    world.clock.advance(1000);
    await turn();
    expect(isServed(world)).toEqual([true, true]);
  });
});

const type = 'KubernetesAPIApprovalPolicyConformant';
const inGroup = (group: string, approved?: string) =>
  definition({ group }, approved === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': approved } });

describe('withApproval', () => {
  it.each([
    [undefined, 'False', 'MissingAnnotation'],
    ['https://example.com/1', 'True', 'ApprovedAnnotation'],
    ['unapproved', 'False', 'UnapprovedAnnotation'],
    ['odd', 'False', 'InvalidAnnotation'],
  ])('sets the condition for the annotation %s', (approved, status, reason) => {
    const approvedDefinition = withApproval(inGroup('x.k8s.io', approved), 'now');
    expect(conditionIn(approvedDefinition, type)).toMatchObject({ status, reason });
    expect(withApproval(approvedDefinition, 'later')).toBe(approvedDefinition);
  });

  it('sets no condition for other groups', () => {
    const own = inGroup('example.com');
    expect(withApproval(own, 'now')).toBe(own);
  });
});
