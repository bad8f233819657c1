/** How long a test waits for what must come: it passes as soon as it has, however busy the machine is. */
export const PATIENTLY: { readonly timeout: number; readonly interval: number } = {
  timeout: 120_000,
  interval: 20,
};
