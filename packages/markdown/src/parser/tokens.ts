import type { MarkdownIt, StateInline, Token } from "markdown-it";

type Nesting = Token["nesting"];

/**
 * Lets a parser make its tokens, and what it holds of a line of text, with all fields at once. The build of markdown-it
 * defines each field by itself, through helpers for old engines, which takes a third of the time of reading a page.
 */
export function makeTokensAtOnce(md: MarkdownIt): void {
  const QuickToken = tokensLike(new md.core.State("", md, {}).Token);

  md.block.State = class extends md.block.State {
    override Token = QuickToken;

    override push(type: string, tag: string, nesting: Nesting): Token {
      const token = new QuickToken(type, tag, nesting);
      token.block = true;
      if (nesting < 0) this.level -= 1;
      token.level = this.level;
      if (nesting > 0) this.level += 1;
      this.tokens.push(token);
      return token;
    }
  };
  md.inline.State = linesLike(md.inline.State, QuickToken);
}

/** Creates the class of what is held of a line of text, with the methods of another class that make no tokens. */
function linesLike(Original: typeof StateInline, QuickToken: typeof Token): typeof StateInline {
  class QuickLine {
    pos = 0;
    level = 0;
    pending = "";
    pendingLevel = 0;
    cache: StateInline["cache"] = {};
    backticks: StateInline["backticks"] = {};
    backticksScanned = false;
    skipHtmlSpecial = false;
    linkLevel = 0;
    delimiters: StateInline["delimiters"] = [];
    _prev_delimiters: StateInline["_prev_delimiters"] = [];
    Token = QuickToken;
    src: string;
    env: StateInline["env"];
    md: MarkdownIt;
    tokens: Token[];
    tokens_meta: StateInline["tokens_meta"];
    posMax: number;

    constructor(src: string, md: MarkdownIt, env: StateInline["env"], tokens: Token[]) {
      this.src = src;
      this.env = env;
      this.md = md;
      this.tokens = tokens;
      this.tokens_meta = Array(tokens.length);
      this.posMax = src.length;
    }

    pushPending(): Token {
      const token = new QuickToken("text", "", 0);
      token.content = this.pending;
      token.level = this.pendingLevel;
      this.tokens.push(token);
      this.pending = "";
      return token;
    }

    push(type: string, tag: string, nesting: Nesting): Token {
      if (this.pending !== "") this.pushPending();
      const token = new QuickToken(type, tag, nesting);
      if (nesting < 0) {
        this.level -= 1;
        this.delimiters = this._prev_delimiters.pop()!;
      }
      token.level = this.level;
      const opens = nesting > 0;
      if (opens) {
        this.level += 1;
        this._prev_delimiters.push(this.delimiters);
        this.delimiters = [];
      }
      this.pendingLevel = this.level;
      this.tokens.push(token);
      this.tokens_meta.push(opens ? { delimiters: this.delimiters } : undefined);
      return token;
    }
  }
  Object.setPrototypeOf(QuickLine.prototype, Original.prototype);
  // Cast: it inherits the other methods as it runs.
  return QuickLine as unknown as typeof StateInline;
}

/** Creates the class of tokens, with the methods of another class. */
function tokensLike(Original: typeof Token): typeof Token {
  class QuickToken {
    type: string;
    tag: string;
    nesting: Nesting;
    map: Token["map"] = null;
    level = 0;
    children: Token["children"] = null;
    content = "";
    markup = "";
    info = "";
    block = false;
    hidden = false;
    attrs: Token["attrs"] = null;
    meta: Token["meta"] = null;

    constructor(type: string, tag: string, nesting: Nesting) {
      this.type = type;
      this.tag = tag;
      this.nesting = nesting;
    }
  }
  Object.setPrototypeOf(QuickToken.prototype, Original.prototype);
  // Cast: it inherits the methods as it runs.
  return QuickToken as unknown as typeof Token;
}
