/** The work of penstock doctor: looks at a source, and says what is wrong with it or its file. */
import type { Exchange } from '#adapters/http/page-source';
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { printJson, printLines, sayLines } from '#cli/io';
import type { Io } from '#cli/io';
import { doctorJson, renderDoctor } from '#cli/render/doctor';
import { hidingIo } from '#cli/source/hiding-io';
import { openSource } from '#cli/source/open-source';
import type { LoadedPipeline } from '#config/load-pipelines';
import type { Clock } from '#ports/clock';
import { diagnose } from './diagnose.ts';
import type { Finding } from './finding.ts';
import { observe } from './observe.ts';

export interface Diagnosis {
  /** `orders.ts` */
  readonly file: string;
  readonly pipeline: string;
  readonly pages: number;
  readonly records: number;
  readonly findings: readonly Finding[];
}

/** @throws {CliError} naming every variable that is missing or useless. */
export async function doctor(
  pipeline: Omit<LoadedPipeline, 'path'>,
  ask: { readonly pagesMax: number; readonly json: boolean | undefined },
  { io: told, fail, clock = systemClock }: { io: Io; fail: () => void; clock?: Clock },
): Promise<void> {
  const { settings, file } = pipeline;
  const exchanges: Exchange[] = [];
  const opened = openSource(pipeline, {
    env: told.env,
    clock,
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  const io = hidingIo(told, opened.secrets);
  const seen = await observe(
    { ...opened, settings, exchanges, pagesMax: ask.pagesMax },
    { clock, chance: systemChance, say: (sentence) => sayLines(io, [sentence]) },
  );
  const diagnosis = {
    file,
    pipeline: settings.name,
    pages: seen.walk.pages.length,
    records: seen.records.length,
    findings: diagnose(seen),
  };
  if (ask.json) printJson(io, doctorJson(diagnosis));
  else printLines(io, renderDoctor(diagnosis));
  if (diagnosis.findings.some(({ severity }) => severity !== 'note')) fail();
}
