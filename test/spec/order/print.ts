import type { Digest } from '../../../src/spec/hash/digest.ts';
import { writePort, writeSubset } from '../../../src/spec/order/printed.ts';
import type { EndpointPort, EndpointSubset } from '../../../src/types/index.ts';
import type { Profile } from '../../../src/versions/index.ts';

/** Returns the text that is hashed to sort a subset. */
export const printSubset = (subset: EndpointSubset, profile: Profile): string => textOf((digest) => writeSubset(digest, subset, profile));

export const printPort = (port: EndpointPort, profile: Profile): string => textOf((digest) => writePort(digest, port, profile));

function textOf(write: (digest: Digest) => void): string {
  let printed = '';
  const add = (text: string): void => {
    printed += text;
  };
  write({ addLiteral: ({ text }) => add(text), addText: add, hex: () => '' });
  return printed;
}
