import { describe, expect, it } from 'vitest';
import { createCustomColumns } from '../../../src/custom-resources/objects/columns.ts';
import { makeThing } from '../support.ts';

const now = new Date('2026-01-02T03:04:05Z');
const printCell = (type: string, jsonPath: string, spec: unknown): unknown =>
  createCustomColumns([{ name: 'C', type, jsonPath }]).cells(makeThing({ spec }), now)[1];

describe('createCustomColumns', () => {
  it('shows Name and Age by default', () => {
    const { columns, cells } = createCustomColumns();
    expect(columns.map(({ name, type, priority }) => [name, type, priority])).toEqual([
      ['Name', 'string', 0],
      ['Age', 'date', 0],
    ]);
    expect(cells(makeThing({}, { creationTimestamp: '2026-01-02T03:00:05Z' }), now)).toEqual(['one', '4m']);
    expect(cells(makeThing(), now)).toEqual(['one', null]);
  });

  it('shows the columns of the definition', () => {
    const { columns } = createCustomColumns([
      { name: 'Size', type: 'integer', format: 'int32', description: 'How large', priority: 1, jsonPath: '.spec.n' },
    ]);
    expect(columns[1]).toEqual({ name: 'Size', type: 'integer', format: 'int32', description: 'How large', priority: 1 });
  });

  it.each([
    ['integer', '.spec.n', { n: 5 }, 5],
    ['integer', '.spec.n', { n: 'x' }, null],
    ['number', '.spec.n', { n: 1.5 }, 1.5],
    ['boolean', '.spec.n', { n: true }, true],
    ['boolean', '.spec.n', { n: 'true' }, null],
    ['string', '.spec.n', { n: { z: '<&>', y: [1.5, 1e21, null, 1e-7] } }, '{"y":[1.5,1e+21,null,1e-7],"z":"\\u003c\\u0026\\u003e"}'],
    ['string', '.spec.n', { n: null }, '<no value>'],
    ['string', '.spec.n', { n: 1234567.5 }, '1.2345675e+06'],
    ['string', '.spec.n', {}, null],
    ['date', '.spec.n', { n: '2026-01-01T03:04:05Z' }, '24h'],
    ['date', '.spec.n', { n: 'x' }, '<invalid>'],
    [
      'string',
      '.spec.list[?(@.t=="a")].s',
      {
        list: [
          { t: 'b', s: 1 },
          { t: 'a', s: 2 },
        ],
      },
      '2',
    ],
  ])('shows a column of type %s at %s of spec %j', (type, path, spec, expected) => {
    expect(printCell(type, path, spec)).toEqual(expected);
  });

  it('omits a column with an invalid path and all columns after it', () => {
    expect(
      createCustomColumns([
        { name: 'A', jsonPath: '.a' },
        { name: 'B', jsonPath: '.b[' },
        { name: 'C', jsonPath: '.c' },
      ]).columns,
    ).toHaveLength(2);
  });
});
