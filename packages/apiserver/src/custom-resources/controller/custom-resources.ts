import { quote } from 'kube-endpoints/internal';
import { hasReason, type Resource } from 'kube-endpoints/port';
import type { Catalog } from '../../registry/catalog.ts';
import type { Registry } from '../../registry/index.ts';
import { sameValue } from '../../resources/field/read.ts';
import { type Clock, type StoreWrite, systemClock } from '../../store/index.ts';
import {
  conditions,
  hasJustBegunToGo,
  isSameCondition,
  markedAsGoing,
  type NewCondition,
  withCondition,
} from '../definition/conditions.ts';
import { conditionIn, type Definition, type DefinitionNames, definitions, isTrue } from '../definition/definition.ts';
import { definitionStrategy, servedDefinitions } from '../definition/strategy.ts';
import { type Approval, approvalOf, isProtectedGroup } from '../definition/validate/definition.ts';
import type { ValidatorOptions } from '../validation/validator.ts';
import { endObjects, isGoing } from './ending.ts';
import { createFollower } from './follower.ts';
import { createServer, type DefinitionServer } from './server.ts';

export interface CustomResourcesOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  /** By default that of the machine. */
  readonly clock?: Clock;
  /** How the values of custom resources are checked. */
  readonly validation?: ValidatorOptions;
  /** Is told of what could not be done, and is tried again. */
  readonly failed?: (error: unknown) => void;
}

/** CustomResourceDefinitions, and what becomes of them. */
export interface CustomResources {
  /** Does all that is left to do about definitions, at once. What waits for somebody's finalizer goes on waiting. */
  settle(): Promise<void>;
  /** Ends it: definitions that are written from now on are only stored. */
  close(): void;
}

/**
 * Serves CustomResourceDefinitions, and the resources that they define. A definition that is written is acted upon without timers: in
 * the next turn of the event loop its objects are served, if no admission webhook holds up its status.
 */
export function createCustomResources(options: CustomResourcesOptions): CustomResources {
  const { registry, catalog, clock = systemClock, failed } = options;
  registry.serve(definitionStrategy(clock));
  catalog.add(servedDefinitions());
  const server = createServer(options);
  const context: Context = { registry, clock, server };
  const follower = createFollower({ round: () => reconcileAll(context), clock, ...(failed && { failed }) });
  const forget = registry.store.observe((write) => {
    if (isDefinition(write.resource) || isLeaving(server, write)) follower.kick();
  });
  follower.kick();
  return {
    settle: () => follower.settle(),
    close() {
      forget();
      follower.close();
    },
  };
}

interface Context {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly server: DefinitionServer;
}

const isDefinition = ({ group, plural }: Resource): boolean => group === definitions.group && plural === definitions.plural;

/** Whether an object is gone for which a definition may be waiting. */
const isLeaving = (server: DefinitionServer, { resource, current }: StoreWrite): boolean => !current && server.isGoing(resource);

/** @returns whether there may be more to do */
async function reconcileAll(context: Context): Promise<boolean> {
  const { registry, server } = context;
  const stored = registry.store.list(definitions).items as readonly Definition[];
  let changed = server.forgetAllBut(stored);
  const problems: unknown[] = [];
  for (const definition of stored) {
    if (server.isSettled(definition)) continue;
    try {
      if (await reconcile(context, definition, stored)) changed = true;
    } catch (error) {
      problems.push(error);
    }
  }
  // One that cannot be served does not keep the others from it.
  if (!changed && problems.length > 0) throw problems[0];
  return changed;
}

/** One step: what is written is looked at again. @returns whether something was written */
async function reconcile(context: Context, definition: Definition, all: readonly Definition[]): Promise<boolean> {
  const { clock, server, registry } = context;
  const now = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  const next = nextOf(definition, all, clock.now(), now);
  if (next !== definition) {
    await write(context, definition, next);
    return true;
  }
  server.serve(definition);
  if (isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) {
    await write(context, definition, withCondition(definition, conditions.established, now));
    return true;
  }
  if (isGoing(definition)) {
    const before = registry.store.revision;
    const ending = { registry, overlaps: server.overlaps(definition), now: () => now };
    await endObjects(definition, { ...ending, write: (next) => write(context, definition, next) });
    return registry.store.revision !== before;
  }
  server.settled(definition);
  return false;
}

/** What is decided from the definitions alone. */
function nextOf(definition: Definition, all: readonly Definition[], now: number, timestamp: string): Definition {
  if (hasJustBegunToGo(definition)) return markedAsGoing(definition, now);
  const named = withAcceptedNames(definition, all, timestamp);
  return named === definition ? withApproval(definition, timestamp) : named;
}

/** Somebody else's write in between is seen anyway: the next round begins with it. */
async function write({ registry }: Context, definition: Definition, next: Definition): Promise<void> {
  const { name = '' } = definition.metadata;
  const key = { name };
  try {
    // How long it is given, and until when, nobody may change but the registry: this ends what the registry has begun.
    if (hasJustBegunToGo(definition)) registry.store.update(definitions, key, (current) => (current === definition ? next : current));
    else await registry.update(definitions, key, () => next, { subresource: 'status', defaultManager: 'kube-apiserver' });
  } catch (error) {
    if (!hasReason(error, 'Conflict', 'NotFound')) throw error;
  }
}

/** Says of a definition in a group of the Kubernetes project whether that is approved of. Mirrors the controller apiapproval (1.36). */
export function withApproval(definition: Definition, now: string): Definition {
  if (!isProtectedGroup(definition.spec?.group ?? '')) return definition;
  const { state, reason: message } = approvalOf(definition);
  const condition: NewCondition = { type: 'KubernetesAPIApprovalPolicyConformant', ...byState[state], message };
  return isSameCondition(condition, conditionIn(definition, condition.type)) ? definition : withCondition(definition, condition, now);
}

const byState: Readonly<Record<Approval['state'], Pick<NewCondition, 'reason' | 'status'>>> = {
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
};

/**
 * The definition with the names that it is given: those that no other definition of the group has. The definition itself where that
 * is nothing new. Mirrors NamingConditionController (apiextensions-apiserver/pkg/controller/status, 1.36).
 */
export function withAcceptedNames(definition: Definition, others: readonly Definition[], now: string): Definition {
  const names = withoutEmpty(definition.spec?.names);
  const accepted = withoutEmpty(definition.status?.acceptedNames);
  if (sameValue(names, accepted)) return definition;
  const { given, condition } = decide(names, accepted, takenBy(definition, others));
  const established = establishedAfter(definition, condition);
  if (sameValue(given, accepted) && isSameCondition(condition, conditionIn(definition, 'NamesAccepted'))) return definition;
  const named: Definition = { ...definition, status: { ...definition.status, acceptedNames: given } };
  return withCondition(withCondition(named, condition, now), established, now);
}

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Its own names are among them, and do not count. */
function takenBy({ spec }: Definition, definitions: readonly Definition[]): Taken {
  const inGroup = definitions.filter((each) => each.spec?.group === spec?.group).map((each) => each.status?.acceptedNames ?? {});
  return {
    resources: new Set(inGroup.flatMap(({ plural = '', singular = '', shortNames = [] }) => [plural, singular, ...shortNames])),
    kinds: new Set(inGroup.flatMap(({ kind = '', listKind = '' }) => [kind, listKind])),
  };
}

interface Decision {
  readonly given: DefinitionNames;
  readonly condition: NewCondition;
}

function decide(names: DefinitionNames, accepted: DefinitionNames, { resources, kinds }: Taken): Decision {
  const given: { -readonly [Name in keyof DefinitionNames]: DefinitionNames[Name] } = { ...accepted };
  let condition: NewCondition = conditions.namesAccepted;
  const refuse = (reason: string, message: string): void => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const claim = (name: 'kind' | 'listKind' | 'plural' | 'singular', taken: ReadonlySet<string>, reason: string): void => {
    const wanted = names[name] ?? '';
    if (wanted !== (accepted[name] ?? '') && taken.has(wanted)) refuse(reason, inUse(wanted));
    else given[name] = wanted;
  };
  claim('plural', resources, 'PluralConflict');
  claim('singular', resources, 'SingularConflict');
  const conflicts = (names.shortNames ?? []).filter((name) => !accepted.shortNames?.includes(name) && resources.has(name)).map(inUse);
  if (conflicts.length > 0) refuse('ShortNamesConflict', conflicts.length === 1 ? (conflicts[0] as string) : `[${conflicts.join(', ')}]`);
  else if (names.shortNames) given.shortNames = names.shortNames;
  else delete given.shortNames;
  claim('kind', kinds, 'KindConflict');
  claim('listKind', kinds, 'ListKindConflict');
  if (names.categories) given.categories = names.categories;
  else delete given.categories;
  return { given: withoutEmpty(given), condition };
}

/** Stored, the plural and the kind stand there even where they are empty. */
const withoutEmpty = (names: DefinitionNames = {}): DefinitionNames =>
  Object.fromEntries(Object.entries(names).filter(([, value]) => value !== ''));

const inUse = (name: string): string => `${quote(name)} is already in use`;

function establishedAfter(definition: Definition, { status }: NewCondition): NewCondition {
  const before = conditionIn(definition, 'Established') ?? conditions.notAccepted;
  return before.status !== 'True' && status === 'True' ? conditions.installing : before;
}
