/** The thread of all attackers: runs them for their time, and tells how they were answered. */
import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS, type OrderMetrics, type Target } from './attacks.js';
import { closeAgents } from './wire.js';

const { target, ms } = workerData as { target: Target; ms: number };
const named = process.env['ATTACKS']?.split(',');
const chosen = Object.entries(ATTACKS).filter(([name]) => named?.includes(name) ?? true);

const end = AbortSignal.timeout(ms);
const tallies = new Map(chosen.map(([name]): [string, OrderMetrics] => [name, new Map()]));
await Promise.all(chosen.map(([name, attack]) => attack(target, tallies.get(name)!, end)));
closeAgents();
parentPort?.postMessage(tallies, []);
