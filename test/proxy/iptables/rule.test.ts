import { describe, expect, it, test } from 'vitest';
import { formatComment, formatJump, formatRule, ruleOf } from '../../../src/proxy/iptables/model.ts';

test.each([
  [
    ruleOf('shop/web', '-m tcp -p tcp --dport 30080', 'KUBE-EXT-A'),
    '-m comment --comment shop/web -m tcp -p tcp --dport 30080 -j KUBE-EXT-A',
  ],
  [ruleOf('shop/web cluster IP', '', 'KUBE-SVC-A'), '-m comment --comment "shop/web cluster IP" -j KUBE-SVC-A'],
  [ruleOf(undefined, '-s 10.0.0.1', 'KUBE-MARK-MASQ'), '-s 10.0.0.1 -j KUBE-MARK-MASQ'],
  [ruleOf(undefined, '', 'MARK', '--or-mark 0x4000'), '-j MARK --or-mark 0x4000'],
  [ruleOf('nothing but a remark', '', undefined), '-m comment --comment "nothing but a remark"'],
])('formatRule formats %o', (rule, text) => {
  expect(formatRule(rule)).toBe(text);
});

describe('a comment', () => {
  it.each([
    ['shop/web:http', 'shop/web:http'],
    ['shop/web -> 10.0.0.1:80', '"shop/web -> 10.0.0.1:80"'],
    ['', '""'],
    ['a" -j ACCEPT', '"a\\" -j ACCEPT"'],
    ['a\\', '"a\\\\"'],
    ["it's", '"it\'s"'],
    ['a\n-A INPUT -j ACCEPT', '"a?-A INPUT -j ACCEPT"'],
  ])('%j is quoted safely', (comment, text) => {
    expect(formatComment(comment)).toBe(text);
  });
});

it('formatJump writes the match before the comment, as kube-proxy expects', () => {
  const jump = { table: 'nat', chain: 'OUTPUT', comment: 'a b', match: '-m conntrack --ctstate NEW', target: 'KUBE-SERVICES' } as const;
  expect(formatJump(jump)).toBe('-m conntrack --ctstate NEW -m comment --comment "a b" -j KUBE-SERVICES');
});
