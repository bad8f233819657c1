/** The control endpoint of faults: GET lists them, POST adds one, DELETE removes one or all. */
import { jsonObjectIn } from '#local/aws-json';
import type { WireHandler, WireResponse } from '#local/contracts';
import { STATUS_ROOT } from '#local/status-path';
import { FaultError, parseFault } from './parse-fault.ts';
import type { PlannedFaults } from './plan-faults.ts';

export const FAULTS_PATH = `${STATUS_ROOT}faults`;

export function isFaultPath(path: string): boolean {
  return path === FAULTS_PATH || path.startsWith(`${FAULTS_PATH}/`);
}

export function createFaultPage(faults: PlannedFaults): WireHandler {
  return {
    async handle({ method, path, body }) {
      const id = path.slice(FAULTS_PATH.length + 1);
      if (method === 'GET' && id === '') return json(200, faults.list());
      if (method === 'POST' && id === '') {
        try {
          return json(201, { id: faults.add(parseFault(jsonObjectIn(body))) });
        } catch (error) {
          if (!(error instanceof FaultError)) throw error;
          return json(400, { message: error.message });
        }
      }
      if (method === 'DELETE') {
        if (id === '') faults.clear();
        else if (!faults.remove(id)) return json(404, { message: `There is no fault ${id}.` });
        return { status: 204 };
      }
      return json(405, { message: 'Faults are listed (GET), added (POST) or removed (DELETE).' });
    },
  };
}

function json(status: number, value: object): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}
