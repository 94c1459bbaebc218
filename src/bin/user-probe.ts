#!/usr/bin/env node
/** Reports what the user that runs it can reach. A service starts it as each user of its principals. */
import { text } from 'node:stream/consumers';
import { probe, type ProbeQuestion } from '../platform/user-probe.js';

process.stdout.write(JSON.stringify(probe(JSON.parse(await text(process.stdin)) as ProbeQuestion)));
