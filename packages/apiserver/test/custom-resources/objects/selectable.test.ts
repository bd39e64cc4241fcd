import { describe, expect, it } from 'vitest';
import { selectableFields } from '../../../src/custom-resources/objects/selectable.ts';
import { thing } from '../support.ts';

describe('selectableFields', () => {
  it('reads the fields by their paths, what is missing as empty', () => {
    const { fields = {} } = selectableFields(['.spec.colour', '.spec.on', '.spec.n']);
    expect(Object.keys(fields)).toEqual(['spec.colour', 'spec.on', 'spec.n']);
    const read = (spec: unknown): string[] => Object.values(fields).map((reader) => reader(thing({ spec })));
    expect(read({ colour: 'red', on: true, n: 5 })).toEqual(['red', 'true', '5']);
    expect(read({ colour: null })).toEqual(['', '', '']);
  });
});
