import { isDNS1123Subdomain } from 'kube-endpoints/internal';

/** Names Events after their objects. */
export type NameEvent = (objectName: string | undefined, now: number) => string;

/**
 * An Event's name is its object's and the time in nanoseconds, in hexadecimal digits. A clock of milliseconds leaves the last six decimal
 * digits to chance, so that neither two Events of a millisecond nor those of two recorders get in each other's way. What would be no name
 * of an object becomes a UUID. Mirrors GenerateEventName (1.36, client-go/tools/record/util/util.go).
 */
export function createEventNames(random: () => number): NameEvent {
  let moment = 0;
  let last = 0n;
  return (objectName = '', now) => {
    const drawn = BigInt(Math.floor(now)) * nanoseconds + BigInt(Math.floor(random() * Number(nanoseconds)));
    last = now === moment && drawn <= last ? last + 1n : drawn;
    moment = now;
    const name = `${objectName}.${last.toString(16)}`;
    return isDNS1123Subdomain(name) ? name : uuid(random);
  };
}

/** Of a millisecond. */
const nanoseconds = 1_000_000n;

/** A UUID of the fourth version, in which all but six bits are chance. */
function uuid(random: () => number): string {
  const digit = (from: number, count: number): string => Math.floor(from + random() * count).toString(16);
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => (place === 'x' ? digit(0, 16) : digit(8, 4)));
}
