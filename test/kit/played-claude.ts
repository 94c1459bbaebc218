/**
 * A Claude Code in this process: it plays the same scripts as the scripted model, asks the same hooks and callbacks of
 * the Agent SDK, and speaks the SDK's messages. Its permission rules are an imitation: what only the real rules can
 * show belongs into test/e2e.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options, PermissionUpdate, Query, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { Pushable } from '../../src/backends/agent-sdk/pushable.js';
import { projectFolderName } from '../../src/history/project-folder.js';
import { parseRequest, type ModelRequest } from './model-request.js';
import type { MessageStep, ScriptStep, Usage } from './model-steps.js';
import { blockedBy, suggestionsFor, userDenials, verdictOn, type ToolUse } from './played-rules.js';
import { Interrupted, Turn } from './played-turn.js';
import { runTool, type ToolOutput } from './played-tools.js';
import type { RequestLog } from './request-log.js';
import type { ScriptBook } from './script-book.js';
import { toJsonMessage, toSseEvents } from './sse.js';

type ApiMessage = { readonly role: string; readonly content: string | readonly object[] };

export type Prompt = {
  readonly uuid: string;
  readonly text: string;
  /** The text, and the parts before it. */
  readonly content: ApiMessage['content'];
  readonly isSteering: boolean;
};

/** What all processes of a scene share. */
export type PlayedWorld = {
  readonly book: ScriptBook;
  readonly requests: RequestLog;
  readonly configDir: string;
  /** The conversations so far, by Claude's session id: what a resumed process finds on disk. */
  readonly histories: Map<string, ApiMessage[]>;
  /** The options of each process, oldest first. */
  readonly launches: Options[];
};

const toolNames = [
  'Task',
  'Bash',
  'Read',
  'Write',
  'Edit',
  'Glob',
  'Grep',
  'AskUserQuestion',
  'ExitPlanMode',
];
/** What the SDK's `query` is to the server. */
export function playedQuery(
  world: PlayedWorld,
): (params: { prompt: AsyncIterable<SDKUserMessage>; options: Options }) => Query {
  return ({ prompt, options }) => {
    world.launches.push(options);
    const session = new PlayedSession(world, options);
    void session.listen(prompt);
    const controls = {
      interrupt: async () => session.interrupt(),
      setModel: async (model?: string) => void (session.model = model ?? 'default'),
      applyFlagSettings: async () => undefined,
      setPermissionMode: async (mode: string) => session.setMode(mode),
      getContextUsage: async () => ({ totalTokens: 1_000, maxTokens: 200_000, percentage: 0.5 }),
      mcpServerStatus: async () => [],
      rewindFiles: async () => ({ canRewind: false, error: 'No file checkpoint found' }),
      close: () => session.close(),
    };
    // Of the SDK's many controls the server uses these.
    return Object.assign(session.output[Symbol.asyncIterator](), controls) as unknown as Query;
  };
}

export class PlayedSession {
  readonly output = new Pushable<object>();
  model: string;
  readonly #world: PlayedWorld;
  readonly #options: Options;
  readonly #sessionId: string;
  readonly #history: ApiMessage[];
  readonly #allow: string[];
  readonly #waiting: Prompt[] = [];
  readonly #planPath: string;
  #mode: string;
  #turn: AbortController | undefined;
  #isClosed = false;
  #costUsd = 0;

  constructor(world: PlayedWorld, options: Options) {
    this.#world = world;
    this.#options = options;
    this.#sessionId = options.sessionId ?? options.resume ?? randomUUID();
    this.#history = [...(world.histories.get(options.resume ?? '') ?? [])];
    world.histories.set(this.#sessionId, this.#history);
    this.#mode = options.permissionMode ?? 'default';
    this.#allow = [...(options.allowedTools ?? [])];
    this.#planPath = join(world.configDir, 'plans', `plan-${this.#sessionId}.md`);
    this.model = options.model ?? 'claude-opus-5-5';
  }

  /** Takes prompts until the input ends; one turn at a time. */
  async listen(prompts: AsyncIterable<SDKUserMessage>): Promise<void> {
    for await (const { uuid = randomUUID(), message, priority } of prompts) {
      const { content } = message;
      this.#waiting.push({ uuid, text: lastText(content), content, isSteering: priority === 'next' });
      this.progress('queued', uuid);
      if (this.#turn === undefined) void this.#work();
    }
    this.close();
  }

  interrupt(): void {
    this.#turn?.abort();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.output.end();
    this.interrupt();
  }

  setMode(mode: string): void {
    this.#mode = mode;
    this.#say({ type: 'system', subtype: 'status', status: null, permissionMode: mode });
  }

  async #work(): Promise<void> {
    for (let prompt = this.#waiting.shift(); prompt !== undefined; prompt = this.#waiting.shift()) {
      this.#turn = new AbortController();
      // Every call of a response listens to it, and Node.js takes more than ten listeners for a leak.
      setMaxListeners(0, this.#turn.signal);
      await new Turn(this, prompt).play(this.#turn.signal);
      this.#turn = undefined;
    }
  }

  /** What is folded into the running turn. */
  takeSteering(): readonly Prompt[] {
    const steering = this.#waiting.filter(({ isSteering }) => isSteering);
    for (const prompt of steering) this.#waiting.splice(this.#waiting.indexOf(prompt), 1);
    return steering;
  }

  progress(state: 'queued' | 'started' | 'completed', uuid: string): void {
    this.#say({ type: 'command_lifecycle', command_uuid: uuid, state });
  }

  begin({ uuid, text, content }: Prompt): void {
    this.progress('started', uuid);
    this.#reportPrompt(text);
    this.#say({
      type: 'system',
      subtype: 'init',
      cwd: this.cwd,
      tools: this.#tools(),
      mcp_servers: [],
      model: this.model,
      permissionMode: this.#mode,
      claude_code_version: '2.1.325',
    });
    this.#remember({ role: 'user', content }, uuid);
  }

  get cwd(): string {
    return this.#options.cwd ?? process.cwd();
  }

  get maxTurns(): number {
    return this.#options.maxTurns ?? Number.POSITIVE_INFINITY;
  }

  fold(prompt: Prompt): void {
    this.#history.push({ role: 'system', content: prompt.content });
  }

  /** Asks the model, and answers with what the script says next. */
  ask(ended: ModelRequest['ended']): ScriptStep {
    const reminder = { role: 'system', content: `The plan file is ${this.#planPath}` };
    const body = {
      model: this.model,
      messages: this.#mode === 'plan' ? [reminder, ...this.#history] : this.#history,
      system: JSON.stringify(this.#options.systemPrompt),
      tools: this.#tools().map((name) => ({ name })),
      stream: true,
    };
    const headers = { 'x-claude-code-session-id': this.#sessionId };
    const request = parseRequest(JSON.stringify(body), headers, ended);
    this.#world.requests.add(request);
    const step = this.#world.book.nextStep(request);
    return typeof step === 'function' ? step : () => step;
  }

  lastRequest(): ModelRequest | undefined {
    return this.#world.requests.of(this.#sessionId).at(-1);
  }

  /** One message for each block, all with the same id, as Claude Code does it. */
  speak(step: MessageStep): readonly (ToolUse & { readonly id: string })[] {
    if (this.#options.includePartialMessages === true)
      for (const event of toSseEvents(step, this.model))
        this.#say({ type: 'stream_event', event, parent_tool_use_id: null });
    const message = toJsonMessage(step, this.model);
    const content = message['content'] as readonly {
      type: string;
      id: string;
      name: string;
      input: object;
    }[];
    for (const block of content) {
      const uuid = randomUUID();
      this.#say({
        type: 'assistant',
        message: { ...message, content: [block] },
        parent_tool_use_id: null,
        uuid,
      });
      this.#write('assistant', { role: 'assistant', content: [block] }, uuid);
    }
    this.#history.push({ role: 'assistant', content });
    return content.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' ? [{ id, name, input: { ...input } }] : [],
    );
  }

  hear(results: readonly object[]): void {
    const uuid = randomUUID();
    const message = { role: 'user', content: results };
    this.#say({ type: 'user', message, parent_tool_use_id: null, uuid });
    this.#remember(message, uuid);
  }

  /** Whether this turn has reached the limit that the process was given. */
  isSpent(usage: Usage): boolean {
    return this.#costUsd + priceOf(usage) >= (this.#options.maxBudgetUsd ?? Number.POSITIVE_INFINITY);
  }

  end(prompts: readonly Prompt[], { input, output }: Usage, fields: object): void {
    const costUSD = priceOf({ input, output });
    this.#costUsd += costUSD;
    const cache = { cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
    const usage = { [this.model]: { inputTokens: input, outputTokens: output, ...cache, costUSD } };
    this.#say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      stop_reason: 'end_turn',
      terminal_reason: 'completed',
      total_cost_usd: this.#costUsd,
      usage: { input_tokens: input, output_tokens: output },
      modelUsage: usage,
      model_usage_since_last_result: usage,
      duration_ms: 5,
      duration_api_ms: 1,
      user_message_uuids: prompts.map(({ uuid }) => uuid),
      ...fields,
    });
    for (const { uuid } of prompts) this.progress('completed', uuid);
  }

  /** The gate first, then the rules, then whoever the SDK's host asks. */
  async use(id: string, call: ToolUse, signal: AbortSignal): Promise<Used> {
    if (verdictOn(call, this.#ruleBook()) === 'unknown')
      return {
        text: `<tool_use_error>Error: No such tool available: ${call.name}</tool_use_error>`,
        isError: true,
      };
    if (call.name === 'EnterPlanMode') this.setMode('plan');
    const gate = await this.#preToolUse(id, call, signal);
    if (signal.aborted) throw new Interrupted();
    if (gate.permissionDecision === 'deny') return denied(gate.permissionDecisionReason ?? 'denied');
    const shown = { ...call, input: { ...(gate.updatedInput ?? call.input) } };
    const verdict = verdictOn(shown, this.#ruleBook());
    if (verdict === 'deny') return forbidden(call);
    if (verdict === 'allow' && gate.permissionDecision !== 'ask') return this.#run(shown, signal);
    return this.#asked(id, shown, signal);
  }

  async #asked(id: string, call: ToolUse, signal: AbortSignal): Promise<Used> {
    const answer = await this.#options.canUseTool?.(call.name, this.#planned(call.name, call.input), {
      signal: later(signal),
      toolUseID: id,
      requestId: randomUUID(),
      suggestions: suggestionsFor(call),
      ...blockedBy(call, this.cwd),
    });
    if (signal.aborted) throw new Interrupted();
    if (answer === undefined || answer === null) return denied('nobody can be asked');
    if (answer.behavior === 'deny') {
      if (answer.interrupt === true) throw new Interrupted();
      return denied(answer.message);
    }
    this.#update(answer.updatedPermissions ?? []);
    if (call.name === 'ExitPlanMode' && this.#mode === 'plan') this.setMode('default');
    const final = { ...call, input: answer.updatedInput ?? call.input };
    return verdictOn(final, this.#ruleBook()) === 'deny' ? forbidden(call) : this.#run(final, signal);
  }

  #tools(): readonly string[] {
    const { tools, disallowedTools = [] } = this.#options;
    return (Array.isArray(tools) ? tools : toolNames).filter((name) => !disallowedTools.includes(name));
  }

  #ruleBook(): Parameters<typeof verdictOn>[1] {
    const { tools, disallowedTools = [] } = this.#options;
    return {
      cwd: this.cwd,
      mode: this.#mode,
      allow: this.#allow,
      deny: [...disallowedTools, ...userDenials(this.#world.configDir)],
      tools: Array.isArray(tools) ? tools : undefined,
      plansDir: join(this.#world.configDir, 'plans'),
    };
  }

  #run(call: ToolUse, signal: AbortSignal): Promise<ToolOutput> {
    return runTool(call, { cwd: this.cwd, env: this.#options.env ?? {}, signal });
  }

  #reportPrompt(prompt: string): void {
    const asked = {
      hook_event_name: 'UserPromptSubmit' as const,
      session_id: this.#sessionId,
      transcript_path: '',
      cwd: this.cwd,
      prompt,
    };
    const { signal } = new AbortController();
    for (const { hooks } of this.#options.hooks?.UserPromptSubmit ?? [])
      for (const hook of hooks) void hook(asked, undefined, { signal });
  }

  async #preToolUse(id: string, call: ToolUse, signal: AbortSignal): Promise<GateOutput> {
    const hook = this.#options.hooks?.PreToolUse?.[0]?.hooks[0];
    const asked = {
      hook_event_name: 'PreToolUse' as const,
      session_id: this.#sessionId,
      transcript_path: '',
      cwd: this.cwd,
      permission_mode: this.#mode,
      tool_name: call.name,
      tool_input: this.#planned(call.name, call.input),
      tool_use_id: id,
    };
    const output = await hook?.(asked, id, { signal: later(signal) });
    return (
      output !== undefined && 'hookSpecificOutput' in output ? output.hookSpecificOutput : {}
    ) as GateOutput;
  }

  /** The plan is what stands in the plan file. */
  #planned(name: string, input: ToolUse['input']): Record<string, unknown> {
    if (name !== 'ExitPlanMode' || !existsSync(this.#planPath)) return { ...input };
    return { plan: readFileSync(this.#planPath, 'utf8'), planFilePath: this.#planPath, ...input };
  }

  #update(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === 'setMode') this.setMode(update.mode);
      if (update.type === 'addRules' && update.behavior === 'allow')
        for (const { toolName, ruleContent } of update.rules)
          this.#allow.push(ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`);
    }
  }

  #remember(message: ApiMessage, uuid: string): void {
    this.#history.push(message);
    this.#write('user', message, uuid);
  }

  #write(type: string, message: ApiMessage, uuid: string): void {
    if (this.#options.persistSession === false) return;
    const folder = join(this.#world.configDir, 'projects', projectFolderName(this.cwd));
    mkdirSync(folder, { recursive: true });
    const timestamp = new Date().toISOString();
    const line = {
      type,
      message,
      uuid,
      cwd: this.cwd,
      sessionId: this.#sessionId,
      timestamp,
      entrypoint: 'sdk-ts',
    };
    appendFileSync(join(folder, `${this.#sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
  }

  #say(message: object): void {
    if (!this.#isClosed) this.output.push({ uuid: randomUUID(), session_id: this.#sessionId, ...message });
  }
}

type Used = ToolOutput & { readonly isDenied?: boolean };

function denied(words: string): Used {
  return { text: words, isError: true, isDenied: true };
}

function forbidden({ name }: ToolUse): Used {
  return denied(`Permission to use ${name} has been denied.`);
}

type GateOutput = {
  readonly permissionDecision?: string;
  readonly permissionDecisionReason?: string;
  readonly updatedInput?: Record<string, unknown>;
};

/** The host hears of an interrupt a moment later, as it does from another process. */
function later(signal: AbortSignal): AbortSignal {
  const host = new AbortController();
  signal.addEventListener('abort', () => void setImmediate(() => host.abort()), { once: true });
  return host.signal;
}

/** What the scripted model's answers cost in the real Claude Code. */
const dollarsPerToken = { input: 0.000004, output: 0.00002 };

function priceOf({ input, output }: Usage): number {
  return input * dollarsPerToken.input + output * dollarsPerToken.output;
}

/** Claude Code takes the last part for what the user wrote. */
function lastText(content: SDKUserMessage['message']['content']): string {
  if (typeof content === 'string') return content;
  const last = content.at(-1);
  return last?.type === 'text' ? last.text : '';
}
