import type { TextOrSetting } from './pipeline-settings.ts';

/** How a page is asked for. */
export interface RequestSettings {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, TextOrSetting>>;
  /** JSON of a POST; with it, each `param` is a dot path in it. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}
