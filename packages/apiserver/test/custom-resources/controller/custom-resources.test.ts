import { describe, expect, it } from 'vitest';
import { withApproval } from '../../../src/custom-resources/controller/custom-resources.ts';
import {
  cleanupFinalizer,
  conditionOf,
  type Definition,
  type DefinitionSpec,
} from '../../../src/custom-resources/definition/definition.ts';
import { createCustomResources, customResourceDefinitions as definitions } from '../../../src/custom-resources/index.ts';
import { createCatalog } from '../../../src/registry/catalog.ts';
import { makeDefinition, makeThing, makeVersion, things } from '../support.ts';
import { createFixture, type Fixture, namesOf, nextTurn } from './fixture.ts';

const name = 'things.example.com';
const v2 = { ...things, version: 'v2' };
/** Whether the registry and the catalog have the resource. */
const servedFlagsOf = ({ registry, catalog }: Fixture, resource = things): readonly boolean[] => [
  registry.resources.some((each) => each.group === resource.group && each.version === resource.version && each.plural === resource.plural),
  catalog
    .all()
    .some(({ resource: each }) => each.group === resource.group && each.version === resource.version && each.plural === resource.plural),
];

async function createFixtureWithDefinition(spec?: Partial<DefinitionSpec>): Promise<Fixture> {
  const fixture = await createFixture();
  await fixture.createDefinition(makeDefinition(spec));
  await fixture.customResources.settle();
  return fixture;
}

async function changeSpec(fixture: Fixture, edit: (spec: DefinitionSpec) => DefinitionSpec): Promise<void> {
  const currentDefinition = await fixture.getDefinition();
  await fixture.port.update(definitions, { ...currentDefinition, spec: edit(currentDefinition.spec as DefinitionSpec) } as Definition);
  await fixture.customResources.settle();
}

describe('a new definition', () => {
  it('is established and served in the next turn of the event loop', async () => {
    const fixture = await createFixture();
    await fixture.createDefinition(makeDefinition());
    await nextTurn();
    expect(servedFlagsOf(fixture)).toEqual([true, true]);
    expect((await fixture.getDefinition()).status).toEqual({
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
    expect(await fixture.port.create(things, makeThing({ spec: { a: 1 } }))).toMatchObject({ spec: { a: 1 }, metadata: { generation: 1 } });
    expect(fixture.clock.scheduled).toBe(0);
  });

  it('may have defaults and allowed values beyond 2^53', async () => {
    const size = { type: 'integer', default: 9007199254740993n, enum: [9007199254740993n] };
    const schema = { openAPIV3Schema: { type: 'object', properties: { size } } };
    const { port } = await createFixtureWithDefinition({ versions: [makeVersion('v1', { schema })] });
    expect(await port.create(things, makeThing())).toMatchObject({ size: 9007199254740993n });
    await expect(port.create(things, makeThing({ size: 9007199254740992n }, { name: 'two' }))).rejects.toThrow(
      'Unsupported value: 9007199254740992: supported values: "9007199254740993"',
    );
  });

  it('is not served after close(), until another controller starts', async () => {
    const fixture = await createFixture();
    fixture.customResources.close();
    await fixture.createDefinition(makeDefinition());
    await nextTurn();
    expect(servedFlagsOf(fixture)).toEqual([false, false]);
    const { registry, clock } = fixture;
    await createCustomResources({ registry, clock, catalog: createCatalog([]) }).settle();
    expect(registry.resources).toContainEqual(things);
  });

  it('is served only after the definition that has its names is deleted', async () => {
    const fixture = await createFixtureWithDefinition();
    await fixture.createDefinition(makeDefinition({ names: { plural: 'rivals', kind: 'Thing' } }));
    await fixture.customResources.settle();
    expect(conditionOf(await fixture.getDefinition('rivals.example.com'), 'NamesAccepted')).toMatchObject({
      status: 'False',
      reason: 'ListKindConflict',
    });
    expect(servedFlagsOf(fixture, { ...things, plural: 'rivals' })).toEqual([false, false]);
    await fixture.port.delete(definitions, { name });
    await fixture.customResources.settle();
    expect(servedFlagsOf(fixture)).toEqual([false, false]);
    expect(servedFlagsOf(fixture, { ...things, plural: 'rivals' })).toEqual([true, true]);
  });

  it('does not replace a built-in resource', async () => {
    const fixture = await createFixture();
    const builtIn = { ...things, group: 'x.k8s.io' };
    fixture.catalog.add({ ...(fixture.catalog.all()[0] as ReturnType<typeof fixture.catalog.all>[number]), resource: builtIn });
    await fixture.createDefinition(makeDefinition({ group: 'x.k8s.io' }, { annotations: { 'api-approved.kubernetes.io': 'unapproved' } }));
    await fixture.customResources.settle();
    expect(servedFlagsOf(fixture, builtIn)).toEqual([false, true]);
    await fixture.port.delete(definitions, { name: 'things.x.k8s.io' });
    await fixture.customResources.settle();
    expect(servedFlagsOf(fixture, builtIn)).toEqual([false, true]);
    expect(await namesOf(fixture.port, definitions)).toEqual([]);
  });
});

describe('a changed definition', () => {
  it('ends watches of its objects if its spec changes', async () => {
    const fixture = await createFixtureWithDefinition();
    const events = fixture.port.watch(things)[Symbol.asyncIterator]();
    await changeSpec(fixture, (spec) => ({
      ...spec,
      versions: [makeVersion('v1', { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }] })],
    }));
    expect(await events.next()).toMatchObject({ done: true });
    expect(
      fixture.catalog
        .all()
        .find(({ resource }) => resource.plural === 'things')
        ?.columns.map((each) => each.name),
    ).toEqual(['Name', 'A']);
  });

  it('keeps watches of its objects if only its metadata changes', async () => {
    const fixture = await createFixtureWithDefinition();
    const events = fixture.port.watch(things)[Symbol.asyncIterator]();
    const currentDefinition = await fixture.getDefinition();
    await fixture.port.update(definitions, { ...currentDefinition, metadata: { ...currentDefinition.metadata, labels: { a: 'b' } } });
    await fixture.customResources.settle();
    await fixture.port.create(things, makeThing());
    expect(await events.next()).toMatchObject({ value: { type: 'ADDED' } });
  });

  it('serves stored objects in a new version', async () => {
    const fixture = await createFixtureWithDefinition();
    await fixture.port.create(things, makeThing({ spec: { a: 1 } }));
    await changeSpec(fixture, (spec) => ({
      ...spec,
      versions: [makeVersion('v1', { storage: false, served: false }), makeVersion('v2', { storage: true })],
    }));
    expect([servedFlagsOf(fixture), servedFlagsOf(fixture, v2)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(await fixture.port.get(v2, { name: 'one', namespace: 'default' })).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { a: 1 },
    });
    expect((await fixture.getDefinition()).status?.storedVersions).toEqual(['v1', 'v2']);
  });

  it('serves stored objects under the new schema, pruned and with defaults', async () => {
    const fixture = await createFixtureWithDefinition();
    const key = { name: 'one', namespace: 'default' };
    await fixture.port.create(things, makeThing({ spec: { a: 1 }, status: { n: 1 } }));
    const spec = { type: 'object', properties: { b: { type: 'string', default: 'x' } } };
    await changeSpec(fixture, (current) => ({
      ...current,
      versions: [makeVersion('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } })],
    }));
    const object = await fixture.port.get(things, key);
    expect(object).toMatchObject({ spec: { b: 'x' } });
    expect([object['status'], (object['spec'] as { a?: unknown }).a]).toEqual([undefined, undefined]);
  });
});

describe('a deleted definition', () => {
  it('is removed after its objects are deleted', async () => {
    const fixture = await createFixtureWithDefinition();
    await fixture.port.create(things, makeThing());
    const { resourceVersion = '' } = (await fixture.getDefinition()).metadata;
    const events = fixture.port.watch(definitions, { resourceVersion })[Symbol.asyncIterator]();
    await fixture.port.delete(definitions, { name });
    const terminatingDefinition = (await fixture.getDefinition()) as Definition;
    expect(terminatingDefinition.metadata).toMatchObject({ deletionTimestamp: '2026-01-02T03:04:05Z', finalizers: [cleanupFinalizer] });
    expect(conditionOf(terminatingDefinition, 'Terminating')).toMatchObject({ status: 'True', reason: 'InstanceDeletionPending' });
    await fixture.customResources.settle();
    expect(await namesOf(fixture.port, definitions)).toEqual([]);
    expect(servedFlagsOf(fixture)).toEqual([false, false]);
    expect(fixture.store.list(things).items).toEqual([]);
    const seenEvents: unknown[] = [];
    while (seenEvents.at(-1) !== 'DELETED') {
      const { value } = await events.next();
      seenEvents.push(conditionOf(value.object as Definition, 'Terminating')?.reason, value.type);
    }
    expect(seenEvents.slice(-4)).toEqual(['InstanceDeletionInProgress', 'MODIFIED', 'InstanceDeletionInProgress', 'DELETED']);
  });

  it('waits for the finalizers of its objects and meanwhile refuses creates', async () => {
    const fixture = await createFixtureWithDefinition();
    await fixture.port.create(things, makeThing({}, { finalizers: ['example.com/wait'] }));
    await fixture.port.delete(definitions, { name });
    await fixture.customResources.settle();
    expect(conditionOf(await fixture.getDefinition(), 'Terminating')?.reason).toBe('InstanceDeletionInProgress');
    await expect(fixture.port.create(things, makeThing({}, { name: 'two' }))).rejects.toThrow(
      'create not allowed while custom resource definition is terminating',
    );
    const terminatingObject = await fixture.port.get(things, { name: 'one', namespace: 'default' });
    expect(terminatingObject.metadata.deletionTimestamp).toBeDefined();
    const { finalizers: _, ...metadata } = terminatingObject.metadata;
    await fixture.port.update(things, { ...terminatingObject, metadata });
    await nextTurn();
    expect(await namesOf(fixture.port, definitions)).toEqual([]);
  });

  it('deletes objects of a storage version that is not served', async () => {
    const fixture = await createFixtureWithDefinition();
    await fixture.port.create(things, makeThing());
    await changeSpec(fixture, (spec) => ({ ...spec, versions: [makeVersion('v1', { served: false })] }));
    await fixture.port.delete(definitions, { name });
    await fixture.customResources.settle();
    expect(await namesOf(fixture.port, definitions)).toEqual([]);
    expect(fixture.store.list(things).items).toEqual([]);
  });

  it('is removed at once if it was never established', async () => {
    const fixture = await createFixtureWithDefinition();
    await fixture.createDefinition(makeDefinition({ names: { plural: 'rivals', kind: 'Thing' } }));
    await fixture.customResources.settle();
    await fixture.port.delete(definitions, { name: 'rivals.example.com' });
    await fixture.customResources.settle();
    expect(await namesOf(fixture.port, definitions)).toEqual([name]);
  });

  it('can be created again', async () => {
    const fixture = await createFixtureWithDefinition();
    await fixture.port.delete(definitions, { name });
    await fixture.customResources.settle();
    await fixture.createDefinition(makeDefinition({ scope: 'Cluster' }));
    await fixture.customResources.settle();
    expect(
      (await fixture.port.create({ ...things, namespaced: false }, { ...makeThing(), metadata: { name: 'one' } })).metadata.namespace,
    ).toBeUndefined();
  });
});

describe("a failed update of a definition's status", () => {
  it('reports the error and is retried', async () => {
    let isDown = true;
    const fixture = await createFixture({
      admission: {
        validate({ subresource }) {
          if (isDown && subresource === 'status') throw new Error('the webhook is down');
        },
      },
    });
    await fixture.createDefinition(makeDefinition());
    await nextTurn();
    expect(fixture.failures.map(String)).toEqual(['Error: the webhook is down']);
    isDown = false;
    fixture.clock.advance(1000);
    await nextTurn();
    expect(servedFlagsOf(fixture)).toEqual([true, true]);
  });
});

const approvalConditionType = 'KubernetesAPIApprovalPolicyConformant';
const definitionInGroup = (group: string, approval?: string) =>
  makeDefinition({ group }, approval === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': approval } });

describe('withApproval', () => {
  it.each([
    [undefined, 'False', 'MissingAnnotation'],
    ['https://example.com/1', 'True', 'ApprovedAnnotation'],
    ['unapproved', 'False', 'UnapprovedAnnotation'],
    ['odd', 'False', 'InvalidAnnotation'],
  ])('sets the condition for the annotation %s', (approval, status, reason) => {
    const updatedDefinition = withApproval(definitionInGroup('x.k8s.io', approval), 'now');
    expect(conditionOf(updatedDefinition, approvalConditionType)).toMatchObject({ status, reason });
    expect(withApproval(updatedDefinition, 'later')).toBe(updatedDefinition);
  });

  it('sets no condition for groups outside the Kubernetes project', () => {
    const unprotectedDefinition = definitionInGroup('example.com');
    expect(withApproval(unprotectedDefinition, 'now')).toBe(unprotectedDefinition);
  });
});
