import { compareText } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { child, type Fields, has, number } from '../resources/field/read.ts';
import { createBootstrapObjects, flowSchemas, mandatoryName, priorityLevels } from '../resources/kinds/flow-control/bootstrap.ts';
import type { Store } from '../store/index.ts';
import { type FlowSchema, matchesFlowSchema, type RequestDigest } from './match.ts';

/** The UIDs of the objects that a request belongs to; empty for a mandatory object that is not stored. */
export interface Classification {
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}

export type Classifier = (request: RequestDigest) => Classification;

interface Candidate extends Classification {
  readonly schema: FlowSchema;
}

/**
 * Creates a function that finds the FlowSchema of a request and its priority level. Requests are not queued: every one is executed at once.
 *
 * Mirrors digestFlowSchemasLocked and startRequest (apiserver/pkg/util/flowcontrol/apf_controller.go, 1.36).
 */
export function createClassifier(store: Store): Classifier {
  let candidates: readonly Candidate[] | undefined;
  store.observe(({ resource: { group } }) => {
    if (group === flowSchemas.group) candidates = undefined;
  });
  return (request) => {
    candidates ??= listCandidates(store);
    const found = candidates.find(({ schema }) => matchesFlowSchema(request, schema));
    // Only a request of a user without groups matches nothing.
    return (found ?? candidates.find(({ schema }) => schema.metadata.name === mandatoryName.catchAll)) as Candidate;
  };
}

/** Lists the FlowSchemas whose priority level exists, in the order of matching. Adds the mandatory ones that are missing. */
function listCandidates(store: Store): readonly Candidate[] {
  const uidsByLevel = new Map<string, string>(Object.values(mandatoryName).map((name) => [name, '']));
  for (const { metadata } of store.list(priorityLevels).items) uidsByLevel.set(metadata.name ?? '', metadata.uid ?? '');
  const toCandidates = (schemas: readonly FlowSchema[]): readonly Candidate[] =>
    schemas.flatMap((schema) => {
      const priorityLevelUid = uidsByLevel.get(schema.spec.priorityLevelConfiguration.name);
      return priorityLevelUid === undefined ? [] : [{ schema, flowSchemaUid: schema.metadata.uid ?? '', priorityLevelUid }];
    });
  const stored = toCandidates([...(store.list(flowSchemas).items as unknown as readonly FlowSchema[])].sort(compareSchemas));
  const storedNames = new Set(stored.map(({ schema }) => schema.metadata.name));
  const missing = toCandidates(createMandatorySchemas()).filter(({ schema }) => !storedNames.has(schema.metadata.name));
  const findMissing = (name: string): readonly Candidate[] => missing.filter(({ schema }) => schema.metadata.name === name);
  return [...findMissing(mandatoryName.exempt), ...stored, ...findMissing(mandatoryName.catchAll)];
}

/**
 * Divides the concurrent requests of the server among the priority levels, by their nominal shares. Mirrors finishQueueSetReconfigsLocked
 * (apiserver/pkg/util/flowcontrol/apf_controller.go, 1.36).
 */
export function computeNominalSeats(store: Store, serverLimit: number): ReadonlyMap<string, number> {
  const levels = new Map(
    [...createMandatoryObjects(priorityLevels), ...store.list(priorityLevels).items].map((level) => [level.metadata.name ?? '', level]),
  );
  const shares = [...levels].map(([name, level]) => ({ name, share: sharesOf(child(level, 'spec')) }));
  const total = shares.reduce((sum, { share }) => sum + share, 0);
  return new Map(shares.map(({ name, share }) => [name, Math.ceil((serverLimit * share) / total)]));
}

const sharesOf = (spec: Fields): number => number(child(spec, has(spec, 'limited') ? 'limited' : 'exempt'), 'nominalConcurrencyShares');

const mandatoryNames: readonly string[] = Object.values(mandatoryName);

const createMandatoryObjects = (wanted: Resource): readonly ApiObject[] =>
  createBootstrapObjects()
    .filter(({ resource, object }) => resource === wanted && mandatoryNames.includes(object.metadata.name ?? ''))
    .map(({ object }) => object);

const createMandatorySchemas = (): readonly FlowSchema[] => createMandatoryObjects(flowSchemas) as unknown as readonly FlowSchema[];

const compareSchemas = (a: FlowSchema, b: FlowSchema): number =>
  a.spec.matchingPrecedence - b.spec.matchingPrecedence || compareText(a.metadata.name, b.metadata.name);
