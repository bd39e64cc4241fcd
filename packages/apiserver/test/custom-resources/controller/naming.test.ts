import { describe, expect, it } from 'vitest';
import { withAcceptedNames } from '../../../src/custom-resources/controller/custom-resources.ts';
import { conditionIn, type Definition, type DefinitionNames } from '../../../src/custom-resources/definition/definition.ts';
import { definition, established } from '../support.ts';

const wanting = (names: DefinitionNames): Definition =>
  definition({ names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', ...names } });
const other = established({
  names: { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList', shortNames: ['o', 'ot'] },
});

describe('withAcceptedNames', () => {
  it('accepts unused names', () => {
    const named = withAcceptedNames(wanting({ shortNames: ['t'], categories: ['all'] }), [other], 'now');
    expect(named.status?.acceptedNames).toEqual({
      plural: 'things',
      singular: 'thing',
      kind: 'Thing',
      listKind: 'ThingList',
      shortNames: ['t'],
      categories: ['all'],
    });
    expect(conditionIn(named, 'NamesAccepted')).toMatchObject({ status: 'True', reason: 'NoConflicts', message: 'no conflicts found' });
    expect(conditionIn(named, 'Established')).toMatchObject({ status: 'False', reason: 'Installing' });
  });

  it.each<[DefinitionNames, string, string]>([
    [{ plural: 'other' }, 'PluralConflict', '"other" is already in use'],
    [{ singular: 'o' }, 'SingularConflict', '"o" is already in use'],
    [{ shortNames: ['others', 'x'] }, 'ShortNamesConflict', '"others" is already in use'],
    [{ shortNames: ['o', 'ot'] }, 'ShortNamesConflict', '["o" is already in use, "ot" is already in use]'],
    [{ kind: 'OtherList' }, 'KindConflict', '"OtherList" is already in use'],
    [{ listKind: 'Other' }, 'ListKindConflict', '"Other" is already in use'],
  ])('refuses %j', (names, reason, message) => {
    const named = withAcceptedNames(wanting(names), [other], 'now');
    expect(conditionIn(named, 'NamesAccepted')).toMatchObject({ status: 'False', reason, message });
    expect(conditionIn(named, 'Established')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
  });

  it('accepts the other names despite a conflict', () => {
    expect(withAcceptedNames(wanting({ kind: 'Other' }), [other], 'now').status?.acceptedNames).toEqual({
      plural: 'things',
      singular: 'thing',
      listKind: 'ThingList',
    });
  });

  it('ignores names of other groups and its own', () => {
    const elsewhere = { ...other, spec: { ...other.spec, group: 'other.com' } };
    expect(conditionIn(withAcceptedNames(wanting({ kind: 'Other' }), [elsewhere], 'now'), 'NamesAccepted')?.status).toBe('True');
    const own = established({ names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' } });
    expect(withAcceptedNames(own, [own], 'now')).toBe(own);
  });

  it('stays established when new names are refused', () => {
    const own = established({ names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' } });
    const renamed = { ...own, spec: { ...own.spec, names: { ...own.spec?.names, shortNames: ['o'] } } };
    const named = withAcceptedNames(renamed, [own, other], 'now');
    expect(conditionIn(named, 'NamesAccepted')?.status).toBe('False');
    expect(conditionIn(named, 'Established')?.status).toBe('True');
    expect(withAcceptedNames(named, [named, other], 'later')).toBe(named);
  });
});
