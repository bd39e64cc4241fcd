import { describe, expect, it } from 'vitest';
import { withAcceptedNames } from '../../../src/custom-resources/controller/custom-resources.ts';
import { conditionOf, type Definition, type DefinitionNames } from '../../../src/custom-resources/definition/definition.ts';
import { makeDefinition, makeEstablishedDefinition } from '../support.ts';

const definitionWithNames = (names: DefinitionNames): Definition =>
  makeDefinition({ names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', ...names } });
const otherDefinition = makeEstablishedDefinition({
  names: { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList', shortNames: ['o', 'ot'] },
});

describe('withAcceptedNames', () => {
  it('accepts unused names', () => {
    const updatedDefinition = withAcceptedNames(definitionWithNames({ shortNames: ['t'], categories: ['all'] }), [otherDefinition], 'now');
    expect(updatedDefinition.status?.acceptedNames).toEqual({
      plural: 'things',
      singular: 'thing',
      kind: 'Thing',
      listKind: 'ThingList',
      shortNames: ['t'],
      categories: ['all'],
    });
    expect(conditionOf(updatedDefinition, 'NamesAccepted')).toMatchObject({
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
    expect(conditionOf(updatedDefinition, 'Established')).toMatchObject({ status: 'False', reason: 'Installing' });
  });

  it.each<[DefinitionNames, string, string]>([
    [{ plural: 'other' }, 'PluralConflict', '"other" is already in use'],
    [{ singular: 'o' }, 'SingularConflict', '"o" is already in use'],
    [{ shortNames: ['others', 'x'] }, 'ShortNamesConflict', '"others" is already in use'],
    [{ shortNames: ['o', 'ot'] }, 'ShortNamesConflict', '["o" is already in use, "ot" is already in use]'],
    [{ kind: 'OtherList' }, 'KindConflict', '"OtherList" is already in use'],
    [{ listKind: 'Other' }, 'ListKindConflict', '"Other" is already in use'],
  ])('refuses conflicting names %j', (names, reason, message) => {
    const updatedDefinition = withAcceptedNames(definitionWithNames(names), [otherDefinition], 'now');
    expect(conditionOf(updatedDefinition, 'NamesAccepted')).toMatchObject({ status: 'False', reason, message });
    expect(conditionOf(updatedDefinition, 'Established')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
  });

  it('accepts names without conflict if a different name of the definition conflicts', () => {
    expect(withAcceptedNames(definitionWithNames({ kind: 'Other' }), [otherDefinition], 'now').status?.acceptedNames).toEqual({
      plural: 'things',
      singular: 'thing',
      listKind: 'ThingList',
    });
  });

  it("ignores names of other groups and the definition's own names", () => {
    const otherGroup = { ...otherDefinition, spec: { ...otherDefinition.spec, group: 'other.com' } };
    expect(conditionOf(withAcceptedNames(definitionWithNames({ kind: 'Other' }), [otherGroup], 'now'), 'NamesAccepted')?.status).toBe(
      'True',
    );
    const establishedDefinition = makeEstablishedDefinition({
      names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' },
    });
    expect(withAcceptedNames(establishedDefinition, [establishedDefinition], 'now')).toBe(establishedDefinition);
  });

  it('keeps a definition established if its new names are refused', () => {
    const establishedDefinition = makeEstablishedDefinition({
      names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' },
    });
    const renamedDefinition = {
      ...establishedDefinition,
      spec: { ...establishedDefinition.spec, names: { ...establishedDefinition.spec?.names, shortNames: ['o'] } },
    };
    const updatedDefinition = withAcceptedNames(renamedDefinition, [establishedDefinition, otherDefinition], 'now');
    expect(conditionOf(updatedDefinition, 'NamesAccepted')?.status).toBe('False');
    expect(conditionOf(updatedDefinition, 'Established')?.status).toBe('True');
    expect(withAcceptedNames(updatedDefinition, [updatedDefinition, otherDefinition], 'later')).toBe(updatedDefinition);
  });
});
