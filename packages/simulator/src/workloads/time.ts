/** A time of an object in milliseconds since the epoch; undefined for Go's zero time. */
export const parseTime = (text: string | null | undefined): number | undefined => (text ? Date.parse(text) : undefined);

/** A time as `metav1.Time` encodes it: in whole seconds. */
export const formatTime = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
