/** A map with the order of a map of up to eight entries in Go, as far as it is not random: a new entry takes the first free slot. */
export interface SlotMap<Value> {
  has(key: string): boolean;
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** The entries at the time of the call. */
  entries(): readonly (readonly [key: string, value: Value])[];
}

export function createSlotMap<Value>(): SlotMap<Value> {
  const slots: (readonly [key: string, value: Value] | undefined)[] = [];
  const indexOf = (key: string): number => slots.findIndex((slot) => slot?.[0] === key);
  return {
    has: (key) => indexOf(key) >= 0,
    set(key, value) {
      const free = slots.indexOf(undefined);
      const known = indexOf(key);
      slots[known >= 0 ? known : free >= 0 ? free : slots.length] = [key, value];
    },
    delete(key) {
      const index = indexOf(key);
      if (index >= 0) slots[index] = undefined;
    },
    entries: () => slots.filter((slot) => slot !== undefined),
  };
}
