/** Who works at a job, for whoever finds it taken. */
import { hostname, userInfo } from 'node:os';

export function jobOwner(): string {
  return `${userInfo().username} at ${hostname()}, process ${process.pid}`;
}
