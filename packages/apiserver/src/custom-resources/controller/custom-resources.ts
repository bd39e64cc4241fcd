import { quote } from 'kube-endpoints/internal/apimachinery';
import { hasReason, type Resource } from 'kube-endpoints/port';
import type { Catalog } from '../../registry/catalog.ts';
import { type Registry, systemRandomness } from '../../registry/index.ts';
import { sameValue } from '../../resources/field/read.ts';
import { type Clock, type StoreWrite, systemClock } from '../../store/index.ts';
import { createCallContext } from '../../webhook-client/index.ts';
import type { WebhookCalls } from '../conversion/converter.ts';
import {
  definitionConditions,
  isDeletionJustRequested,
  isSameCondition,
  type NewCondition,
  startTermination,
  withCondition,
} from '../definition/conditions.ts';
import { conditionOf, type Definition, type DefinitionNames, definitionsResource, isConditionTrue } from '../definition/definition.ts';
import { createDefinitionStrategy, createDefinitionsCatalogEntry } from '../definition/strategy.ts';
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
  /** How conversion webhooks are called. Default: over node:https, with Services of the store. */
  readonly webhooks?: WebhookCalls;
  /** Called if reconciling fails; the work is then retried. */
  readonly onError?: (error: unknown) => void;
}

/** Serves CustomResourceDefinitions and runs their controllers. */
export interface CustomResources {
  /** Reconciles all definitions now. Objects with finalizers of other controllers stay. */
  settle(): Promise<void>;
  /** Stops reconciling: definitions written later are only stored. */
  close(): void;
}

/**
 * Serves CustomResourceDefinitions and the resources that they define. Writes are reconciled without timers: the objects are served in the
 * next turn of the event loop, unless an admission webhook delays the write of the status.
 */
export function createCustomResources(options: CustomResourcesOptions): CustomResources {
  const { registry, catalog, clock = systemClock, onError } = options;
  registry.serve(createDefinitionStrategy(clock));
  catalog.add(createDefinitionsCatalogEntry());
  const webhooks = options.webhooks ?? {
    context: createCallContext({ store: registry.store, clock, randomness: systemRandomness }),
  };
  const server = createDefinitionServer({ ...options, webhooks });
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
      webhooks.context.client.close();
    },
  };
}

interface Context {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly server: DefinitionServer;
}

const isDefinition = ({ group, plural }: Resource): boolean => group === definitionsResource.group && plural === definitionsResource.plural;

/** Whether the write removed an object of a definition that is being deleted and waits until all its objects are removed. */
const unblocksFinalization = (server: DefinitionServer, { resource, current }: StoreWrite): boolean =>
  !current && server.isFinalizing(resource);

/** Reconciles every definition once. @returns whether another round is needed */
async function reconcileAll(context: Context): Promise<boolean> {
  const { registry, server } = context;
  const definitionsInStore = registry.store.list(definitionsResource).items as readonly Definition[];
  let changed = server.retainOnly(definitionsInStore);
  const errors: unknown[] = [];
  for (const definition of definitionsInStore) {
    if (server.isSettled(definition)) continue;
    try {
      if (await reconcile(context, definition, definitionsInStore)) changed = true;
    } catch (error) {
      errors.push(error);
    }
  }
  // An error of one definition does not stop the work for the rest; the first error is thrown if nothing changed.
  if (!changed && errors.length > 0) throw errors[0];
  return changed;
}

/** Does the next step for a definition. @returns whether the step wrote to the store, so that another round is needed */
async function reconcile(context: Context, definition: Definition, definitionsInStore: readonly Definition[]): Promise<boolean> {
  const { clock, server, registry } = context;
  const timestamp = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  const nextDefinition = computeNextDefinition(definition, definitionsInStore, clock.now(), timestamp);
  if (nextDefinition !== definition) {
    await write(context, definition, nextDefinition);
    return true;
  }
  server.serve(definition);
  if (isConditionTrue(definition, 'NamesAccepted') && !isConditionTrue(definition, 'Established')) {
    await write(context, definition, withCondition(definition, definitionConditions.established, timestamp));
    return true;
  }
  if (isFinalizing(definition)) {
    const revisionBefore = registry.store.revision;
    const finalizeContext = {
      registry,
      overlapsBuiltInResource: server.overlapsBuiltInResource(definition),
      getTimestamp: () => timestamp,
    };
    await finalizeDefinition(definition, { ...finalizeContext, write: (nextDefinition) => write(context, definition, nextDefinition) });
    return registry.store.revision !== revisionBefore;
  }
  server.markSettled(definition);
  return false;
}

/** Computes changes that depend only on the definitions: termination, names, approval. Returns the same instance if nothing changes. */
function computeNextDefinition(
  definition: Definition,
  definitionsInStore: readonly Definition[],
  nowMs: number,
  timestamp: string,
): Definition {
  if (isDeletionJustRequested(definition)) return startTermination(definition, nowMs);
  const definitionWithNames = withAcceptedNames(definition, definitionsInStore, timestamp);
  return definitionWithNames === definition ? withApproval(definition, timestamp) : definitionWithNames;
}

/** Writes the next state of a definition. Ignores Conflict and NotFound, because the next round starts from the stored definitions. */
async function write({ registry }: Context, definition: Definition, nextDefinition: Definition): Promise<void> {
  const { name = '' } = definition.metadata;
  const key = { name };
  try {
    // Writes to the store directly, because the registry rejects changes of deletion metadata.
    if (isDeletionJustRequested(definition)) {
      registry.store.update(definitionsResource, key, (current) => (current === definition ? nextDefinition : current));
      await registry.store.waitUntilSaved();
    } else
      await registry.update(definitionsResource, key, () => nextDefinition, { subresource: 'status', defaultManager: 'kube-apiserver' });
  } catch (error) {
    if (!hasReason(error, 'Conflict', 'NotFound')) throw error;
  }
}

/** Adds the approval condition to definitions in groups of the Kubernetes project. Mirrors the controller apiapproval (1.36). */
export function withApproval(definition: Definition, timestamp: string): Definition {
  if (!isProtectedGroup(definition.spec?.group ?? '')) return definition;
  const { state, reason: message } = approvalOf(definition);
  const condition: NewCondition = { type: 'KubernetesAPIApprovalPolicyConformant', ...conditionByApproval[state], message };
  return isSameCondition(condition, conditionOf(definition, condition.type)) ? definition : withCondition(definition, condition, timestamp);
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
export function withAcceptedNames(definition: Definition, allDefinitions: readonly Definition[], timestamp: string): Definition {
  const names = withoutEmptyNames(definition.spec?.names);
  const previousNames = withoutEmptyNames(definition.status?.acceptedNames);
  if (sameValue(names, previousNames)) return definition;
  const { acceptedNames, condition } = decideNames(names, previousNames, collectAcceptedNames(definition, allDefinitions));
  const establishedCondition = decideEstablishedCondition(definition, condition);
  if (sameValue(acceptedNames, previousNames) && isSameCondition(condition, conditionOf(definition, 'NamesAccepted'))) return definition;
  const updated: Definition = { ...definition, status: { ...definition.status, acceptedNames } };
  return withCondition(withCondition(updated, condition, timestamp), establishedCondition, timestamp);
}

interface AcceptedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Collects all accepted names in the group, including the definition's own. */
function collectAcceptedNames({ spec }: Definition, definitions: readonly Definition[]): AcceptedNames {
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
  let condition: NewCondition = definitionConditions.namesAccepted;
  const refuse = (reason: string, message: string): void => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const acceptUnlessInUse = (name: 'kind' | 'listKind' | 'plural' | 'singular', namesInUse: ReadonlySet<string>, reason: string): void => {
    const requestedName = names[name] ?? '';
    if (requestedName !== (previousNames[name] ?? '') && namesInUse.has(requestedName)) refuse(reason, formatInUseMessage(requestedName));
    else acceptedNames[name] = requestedName;
  };
  acceptUnlessInUse('plural', resources, 'PluralConflict');
  acceptUnlessInUse('singular', resources, 'SingularConflict');
  const conflictMessages = (names.shortNames ?? [])
    .filter((name) => !previousNames.shortNames?.includes(name) && resources.has(name))
    .map(formatInUseMessage);
  if (conflictMessages.length > 0)
    refuse('ShortNamesConflict', conflictMessages.length === 1 ? (conflictMessages[0] as string) : `[${conflictMessages.join(', ')}]`);
  else if (names.shortNames) acceptedNames.shortNames = names.shortNames;
  else delete acceptedNames.shortNames;
  acceptUnlessInUse('kind', kinds, 'KindConflict');
  acceptUnlessInUse('listKind', kinds, 'ListKindConflict');
  if (names.categories) acceptedNames.categories = names.categories;
  else delete acceptedNames.categories;
  return { acceptedNames: withoutEmptyNames(acceptedNames), condition };
}

/** Stored objects contain plural and kind even if they are empty. */
const withoutEmptyNames = (names: DefinitionNames = {}): DefinitionNames =>
  Object.fromEntries(Object.entries(names).filter(([, value]) => value !== ''));

const formatInUseMessage = (name: string): string => `${quote(name)} is already in use`;

function decideEstablishedCondition(definition: Definition, { status }: NewCondition): NewCondition {
  const establishedCondition = conditionOf(definition, 'Established') ?? definitionConditions.notAccepted;
  return establishedCondition.status !== 'True' && status === 'True' ? definitionConditions.installing : establishedCondition;
}
