/** The clouds that a command can start. */
export const CLOUD_NAMES = ['embedded', 'localstack'] as const;
export type CloudName = (typeof CLOUD_NAMES)[number];
