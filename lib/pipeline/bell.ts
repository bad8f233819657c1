/** Wakes one that waits; a ring that nobody hears is heard by the next. */
export interface Bell {
  readonly ring: () => void;
  heard(): Promise<void>;
}

export function bellOf(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    async heard() {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = undefined;
      hasRung = false;
    },
  };
}
