import { describe, expect, it } from 'vitest';
import { createInternTable, noInterning } from '../../../../src/runtime/cache/projections/intern.ts';
import { projectReference } from '../../../../src/runtime/cache/projections/reference.ts';
import { target } from './objects.ts';

describe('the projection of a reference', () => {
  it('keeps the four fields that controllers write, and others where there are some', () => {
    expect(projectReference(target, noInterning)).toEqual(target);
    const rare = { ...target, apiVersion: 'example.com/v1', resourceVersion: '3', fieldPath: 'f' };
    expect(projectReference(rare, noInterning)).toEqual(rare);
  });

  it('shares the kind and the namespace', () => {
    const asked: unknown[] = [];
    const table = createInternTable();
    projectReference(target, {
      ...table,
      text(text) {
        asked.push(text);
        return table.text(text);
      },
    });
    expect(asked).toEqual(['Pod', 'shop']);
  });
});
