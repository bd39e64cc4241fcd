import { describe, expect, it } from 'vitest';
import { randomnessFrom, systemRandomness } from '../../src/registry/randomness.ts';
import { seeded } from './support.ts';

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('randomnessFrom', () => {
  it('makes UUIDs of version 4, the same of the same numbers', () => {
    const uuids = Array.from({ length: 50 }, () => 0).map((_, seed) => randomnessFrom(seeded(seed)).uuid());
    for (const uuid of uuids) expect(uuid).toMatch(version4);
    expect(new Set(uuids).size).toBe(50);
    expect(randomnessFrom(seeded(7)).uuid()).toBe(randomnessFrom(seeded(7)).uuid());
  });
});

describe('systemRandomness', () => {
  it('draws below the bound', () => {
    for (let i = 0; i < 100; i++) expect([0, 1, 2]).toContain(systemRandomness.draw(3));
    expect(systemRandomness.uuid()).toMatch(version4);
  });
});
