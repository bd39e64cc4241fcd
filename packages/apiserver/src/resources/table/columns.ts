import type { Column } from '../description.ts';

export const column = (name: string, type: Column['type'] = 'string', priority = 0): Column => ({ name, type, format: '', priority });

/** A column of -o wide. */
export const wideColumn = (name: string): Column => column(name, 'string', 1);

export const nameColumn: Column = { name: 'Name', type: 'string', format: 'name', priority: 0 };
export const ageColumn: Column = column('Age');

/** What is left out of a cell is counted. Mirrors listWithMoreString (pkg/printers/internalversion, 1.36). */
export const firstFew = (items: readonly string[], limit = 3): string =>
  items.length > limit ? `${items.slice(0, limit).join(',')} + ${items.length - limit} more...` : items.join(',');
