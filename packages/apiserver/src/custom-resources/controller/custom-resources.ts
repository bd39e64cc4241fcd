import { quote } from 'kube-endpoints/internal/apimachinery';
import { hasReason, type Resource } from 'kube-endpoints/port';
import type { Catalog } from '../../registry/catalog.ts';
import type { Registry } from '../../registry/index.ts';
import { sameValue } from '../../resources/field/read.ts';
import { type Clock, type StoreWrite, systemClock } from '../../store/index.ts';
import {
  conditions,
  isDeletionJustRequested,
  isSameCondition,
  type NewCondition,
  startTermination,
  withCondition,
} from '../definition/conditions.ts';
import { conditionOf, type Definition, type DefinitionNames, definitions, isConditionTrue } from '../definition/definition.ts';
import { createDefinitionsCatalogEntry, definitionStrategy } from '../definition/strategy.ts';
import { type Approval, approvalOf, isProtectedGroup } from '../definition/validate/definition.ts';
import type { ValidatorOptions } from '../validation/validator.ts';
import { finalizeDefinition, isFinalizing } from './finalizer.ts';
import { createDefinitionServer, type DefinitionServer } from './server.ts';
import { createWorkLoop } from './work-loop.ts';

export interface CustomResourcesOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  /** Default: the system clock. */
  readonly clock?: Clock;
  readonly validation?: ValidatorOptions;
  /** Called with an error of reconciling; the work is retried. */
  readonly onError?: (error: unknown) => void;
}

/** Serves CustomResourceDefinitions and runs their controllers. */
export interface CustomResources {
  /** Reconciles all definitions now. Objects with finalizers of other controllers stay. */
  settle(): Promise<void>;
  /** Stops reconciling: definitions written from now on are only stored. */
  close(): void;
}

/**
 * Serves CustomResourceDefinitions and the resources that they define. Writes are reconciled without timers: the objects are served in the
 * next turn of the event loop, unless an admission webhook delays the write of the status.
 */
export function createCustomResources(options: CustomResourcesOptions): CustomResources {
  const { registry, catalog, clock = systemClock, onError } = options;
  registry.serve(definitionStrategy(clock));
  catalog.add(createDefinitionsCatalogEntry());
  const server = createDefinitionServer(options);
  const context: Context = { registry, clock, server };
  const workLoop = createWorkLoop({ runRound: () => reconcileAll(context), clock, ...(onError && { onError }) });
  const stopObserving = registry.store.observe((write) => {
    if (isDefinition(write.resource) || unblocksFinalization(server, write)) workLoop.trigger();
  });
  workLoop.trigger();
  return {
    settle: () => workLoop.settle(),
    close() {
      stopObserving();
      workLoop.close();
    },
  };
}

interface Context {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly server: DefinitionServer;
}

const isDefinition = ({ group, plural }: Resource): boolean => group === definitions.group && plural === definitions.plural;

/** Whether a custom object was removed whose definition waits for its objects before it can be deleted. */
const unblocksFinalization = (server: DefinitionServer, { resource, current }: StoreWrite): boolean =>
  !current && server.isFinalizing(resource);

/** Reconciles every definition once. @returns whether another round is needed */
async function reconcileAll(context: Context): Promise<boolean> {
  const { registry, server } = context;
  const definitionsInStore = registry.store.list(definitions).items as readonly Definition[];
  let changed = server.retainOnly(definitionsInStore);
  const problems: unknown[] = [];
  for (const definition of definitionsInStore) {
    if (server.isSettled(definition)) continue;
    try {
      if (await reconcile(context, definition, definitionsInStore)) changed = true;
    } catch (error) {
      problems.push(error);
    }
  }
  // An error of one definition does not stop the others; it is thrown if nothing else changed.
  if (!changed && problems.length > 0) throw problems[0];
  return changed;
}

/** Does one step for a definition; a write needs another round. @returns whether something was written */
async function reconcile(context: Context, definition: Definition, definitionsInStore: readonly Definition[]): Promise<boolean> {
  const { clock, server, registry } = context;
  const now = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  const next = computeNext(definition, definitionsInStore, clock.now(), now);
  if (next !== definition) {
    await write(context, definition, next);
    return true;
  }
  server.serve(definition);
  if (isConditionTrue(definition, 'NamesAccepted') && !isConditionTrue(definition, 'Established')) {
    await write(context, definition, withCondition(definition, conditions.established, now));
    return true;
  }
  if (isFinalizing(definition)) {
    const revisionBefore = registry.store.revision;
    const finalizeContext = { registry, overlaps: server.overlaps(definition), now: () => now };
    await finalizeDefinition(definition, { ...finalizeContext, write: (next) => write(context, definition, next) });
    return registry.store.revision !== revisionBefore;
  }
  server.markSettled(definition);
  return false;
}

/** Computes changes that depend only on the definitions: termination, names, approval. Returns the same instance if nothing changes. */
function computeNext(definition: Definition, definitionsInStore: readonly Definition[], now: number, timestamp: string): Definition {
  if (isDeletionJustRequested(definition)) return startTermination(definition, now);
  const withNames = withAcceptedNames(definition, definitionsInStore, timestamp);
  return withNames === definition ? withApproval(definition, timestamp) : withNames;
}

/** Ignores conflicts: the next round starts from the newer object. */
async function write({ registry }: Context, definition: Definition, next: Definition): Promise<void> {
  const { name = '' } = definition.metadata;
  const key = { name };
  try {
    // Writes to the store directly, because the registry rejects changes of deletion metadata.
    if (isDeletionJustRequested(definition))
      registry.store.update(definitions, key, (current) => (current === definition ? next : current));
    else await registry.update(definitions, key, () => next, { subresource: 'status', defaultManager: 'kube-apiserver' });
  } catch (error) {
    if (!hasReason(error, 'Conflict', 'NotFound')) throw error;
  }
}

/** Adds the approval condition to definitions in groups of the Kubernetes project. Mirrors the controller apiapproval (1.36). */
export function withApproval(definition: Definition, now: string): Definition {
  if (!isProtectedGroup(definition.spec?.group ?? '')) return definition;
  const { state, reason: message } = approvalOf(definition);
  const condition: NewCondition = { type: 'KubernetesAPIApprovalPolicyConformant', ...conditionByApproval[state], message };
  return isSameCondition(condition, conditionOf(definition, condition.type)) ? definition : withCondition(definition, condition, now);
}

const conditionByApproval: Readonly<Record<Approval['state'], Pick<NewCondition, 'reason' | 'status'>>> = {
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
};

/**
 * Accepts the names that no other definition of the group uses. Returns the same instance if nothing changes. Mirrors
 * NamingConditionController (apiextensions-apiserver/pkg/controller/status, 1.36).
 */
export function withAcceptedNames(definition: Definition, others: readonly Definition[], now: string): Definition {
  const names = withoutEmpty(definition.spec?.names);
  const previousNames = withoutEmpty(definition.status?.acceptedNames);
  if (sameValue(names, previousNames)) return definition;
  const { acceptedNames, condition } = decideNames(names, previousNames, acceptedNamesInGroup(definition, others));
  const established = nextEstablishedCondition(definition, condition);
  if (sameValue(acceptedNames, previousNames) && isSameCondition(condition, conditionOf(definition, 'NamesAccepted'))) return definition;
  const updated: Definition = { ...definition, status: { ...definition.status, acceptedNames } };
  return withCondition(withCondition(updated, condition, now), established, now);
}

interface AcceptedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** All accepted names in the group, including the definition's own. */
function acceptedNamesInGroup({ spec }: Definition, definitions: readonly Definition[]): AcceptedNames {
  const groupNames = definitions.filter((each) => each.spec?.group === spec?.group).map((each) => each.status?.acceptedNames ?? {});
  return {
    resources: new Set(groupNames.flatMap(({ plural = '', singular = '', shortNames = [] }) => [plural, singular, ...shortNames])),
    kinds: new Set(groupNames.flatMap(({ kind = '', listKind = '' }) => [kind, listKind])),
  };
}

interface NamesDecision {
  readonly acceptedNames: DefinitionNames;
  readonly condition: NewCondition;
}

function decideNames(names: DefinitionNames, previousNames: DefinitionNames, { resources, kinds }: AcceptedNames): NamesDecision {
  const acceptedNames: { -readonly [Name in keyof DefinitionNames]: DefinitionNames[Name] } = { ...previousNames };
  let condition: NewCondition = conditions.namesAccepted;
  const refuse = (reason: string, message: string): void => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const acceptUnlessInUse = (name: 'kind' | 'listKind' | 'plural' | 'singular', namesInUse: ReadonlySet<string>, reason: string): void => {
    const requestedName = names[name] ?? '';
    if (requestedName !== (previousNames[name] ?? '') && namesInUse.has(requestedName)) refuse(reason, inUseMessage(requestedName));
    else acceptedNames[name] = requestedName;
  };
  acceptUnlessInUse('plural', resources, 'PluralConflict');
  acceptUnlessInUse('singular', resources, 'SingularConflict');
  const conflicts = (names.shortNames ?? [])
    .filter((name) => !previousNames.shortNames?.includes(name) && resources.has(name))
    .map(inUseMessage);
  if (conflicts.length > 0) refuse('ShortNamesConflict', conflicts.length === 1 ? (conflicts[0] as string) : `[${conflicts.join(', ')}]`);
  else if (names.shortNames) acceptedNames.shortNames = names.shortNames;
  else delete acceptedNames.shortNames;
  acceptUnlessInUse('kind', kinds, 'KindConflict');
  acceptUnlessInUse('listKind', kinds, 'ListKindConflict');
  if (names.categories) acceptedNames.categories = names.categories;
  else delete acceptedNames.categories;
  return { acceptedNames: withoutEmpty(acceptedNames), condition };
}

/** Stored objects contain plural and kind even if they are empty. */
const withoutEmpty = (names: DefinitionNames = {}): DefinitionNames =>
  Object.fromEntries(Object.entries(names).filter(([, value]) => value !== ''));

const inUseMessage = (name: string): string => `${quote(name)} is already in use`;

function nextEstablishedCondition(definition: Definition, { status }: NewCondition): NewCondition {
  const established = conditionOf(definition, 'Established') ?? conditions.notAccepted;
  return established.status !== 'True' && status === 'True' ? conditions.installing : established;
}
