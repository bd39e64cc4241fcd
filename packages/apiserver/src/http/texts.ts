import type { ApiObject, WatchEvent } from 'kube-endpoints/port';

/**
 * The JSON of objects and watch events. What is frozen is put into words once, whoever asks: a text is kept as long as its object is.
 */
export interface Texts {
  of(object: ApiObject): string;
  /** An event as a line of a watch. */
  ofEvent(event: WatchEvent): string;
}

export function createTexts(): Texts {
  const objects = new WeakMap<ApiObject, string>();
  const events = new WeakMap<WatchEvent, string>();
  const of = (object: ApiObject): string => {
    const known = objects.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    if (Object.isFrozen(object)) objects.set(object, text);
    return text;
  };
  return {
    of,
    ofEvent(event) {
      const known = events.get(event);
      if (known !== undefined) return known;
      const text = eventText(event.type, of(event.object));
      if (Object.isFrozen(event)) events.set(event, text);
      return text;
    },
  };
}

/** A line of a watch. */
export const eventText = (type: WatchEvent['type'] | 'ERROR', object: string): string => `{"type":"${type}","object":${object}}\n`;
