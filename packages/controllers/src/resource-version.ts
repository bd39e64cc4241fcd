/** Whether a resourceVersion is later than another of the same server: they are decimal numbers, of any length. Empty is none yet. */
export const isLater = (version: string, than: string): boolean =>
  version.length === than.length ? version > than : version.length > than.length;
