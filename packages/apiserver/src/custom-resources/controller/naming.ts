import { quote } from 'kube-endpoints/internal';
import { sameValue } from '../../resources/field/read.ts';
import { conditions, isSameCondition, type NewCondition, withCondition } from '../definition/conditions.ts';
import { conditionIn, type Definition, type DefinitionNames } from '../definition/definition.ts';

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
