import { describe, expect, it } from 'vitest';
import { formatName } from '../../src/dns/format.ts';

describe('formatName', () => {
  it.each([
    ['', ''],
    ['.', '.'],
    ['web.shop.', 'web.shop.'],
    ['a$b_*.', 'a$b_*.'],
    // Escapes stay if nothing else needs one.
    ['\\065\\a.', '\\065\\a.'],
    ['\\065\\a@.', 'Aa\\@.'],
    ['a\\.b.', 'a\\.b.'],
    ['a\\046b.', 'a\\.b.'],
    ['a\\\\.', 'a\\\\.'],
    ['a b.', 'a\\ b.'],
    ["it's.", "it\\'s."],
    ['a\\032b.', 'a\\ b.'],
    ['\u0000.', '\\000.'],
    ['\\000\\255.', '\\000\\255.'],
    ['é.', '\\195\\169.'],
    ['\\é.', '\\195\\169.'],
    ['\ud800.', '\\239\\191\\189.'],
    ['\\999.', '\\231.'],
    ['a\\', 'a'],
    ['a\\\\', 'a\\\\'],
    ['a@\\', 'a\\@'],
  ])('prints %j as %j', (name, printed) => expect(formatName(name)).toBe(printed));
});
