/** A text that was read, or why it could not be and where. */
export type Parsed =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string; readonly offset?: number | undefined };
