import { describe, expect, test } from 'vitest';
import { escapeText, Markup, markup } from '../../../src/trace/page/markup.ts';
import { fc } from '../../support/property.ts';

describe('markup', () => {
  test('escapes text and keeps markup', () => {
    const inner = markup`<b>${'<i>'}</b>`;
    expect(String(markup`<p title="${'"'}">${inner}${1}</p>`)).toBe('<p title="&quot;"><b>&lt;i&gt;</b>1</p>');
  });

  test('concatenates lists, and omits undefined', () => {
    expect(String(markup`${['a&', markup`<br>`, undefined, ['b']]}|${undefined}`)).toBe('a&amp;<br>b|');
  });

  test('refuses objects that imitate markup', () => {
    const forgedMarkup = { toString: () => '<script>', text: '<script>', constructor: Markup };
    // @ts-expect-error an object from JSON is neither text nor markup
    expect(() => String(markup`${forgedMarkup}`)).toThrow(TypeError);
  });
});

describe('escapeText', () => {
  test.each([
    ['a & b', 'a &amp; b'],
    [`<a href='x' id="y">`, '&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;'],
    ['&amp;', '&amp;amp;'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['\0\u0007\u007f\u0085\ufffe', '\ufffd'.repeat(5)],
    ['\ud800x\udc00', '\ufffdx\ufffd'],
    ['\u202egnp.exe\u2066', '\ufffdgnp.exe\ufffd'],
    ['名前 😀 ü\u200f', '名前 😀 ü\u200f'],
  ])('escapes %j as %j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test('never contains a character that begins or ends a tag or attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeText(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });
});
