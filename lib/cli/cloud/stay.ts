/** A cloud that stays until it is told to end. */

/** How another shell speaks to it, in lines to copy. */
export function howToSpeak(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `  export ${name}=${value}`);
}

/** Wait for the signal; the process stays up meanwhile. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // Also keeps the process up where nothing else would.
  const alive = setInterval(() => undefined, 60_000);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  clearInterval(alive);
}
