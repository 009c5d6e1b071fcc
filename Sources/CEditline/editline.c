// Empty unless the trait `Libedit` is enabled: no other build needs libedit's headers.
#ifdef REACTOR_LIBEDIT
#define _GNU_SOURCE
#define _XOPEN_SOURCE_EXTENDED 1

#include "editline.h"

#if defined(__has_include) && !__has_include(<histedit.h>)
#error "the trait Libedit links libedit, whose headers are missing; try: apt-get install libedit-dev"
#endif
#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <wchar.h>

// Keys that no terminal sends while it has signals, as each of them is one; see `bind_keys`.
#define KEY_REFRESH 0x1C
#define KEY_DELETE 0x1D

// A byte that is no part of a character, as a value that no character has.
#define STRAY(byte) (0xDC00 | (byte))
#define IS_STRAY(character) (((character) & ~0x7F) == 0xDC80)

static EditLine *line_editor;
static History *past;
// What is written to it is held until the program flushes it: libedit flushes several times for each redraw.
static FILE *output;
static int output_descriptor = -1;
static char *held;
static size_t held_count, held_capacity;
// libedit sets the modes of its input and asks it for the window's size. The program does both: the input is a
// pseudo-terminal of its own, which nothing reads.
static int decoy_master = -1, decoy = -1;
static int screen_rows = 24, screen_columns = 80;

static char *prompt_text;
static rl_vcpfunc_t *line_handler;
static creadline_hook_t start_line;
static creadline_getc_t get_byte;
static creadline_completion_t complete_line;
static creadline_listing_t list_candidates;
static rl_command_func_t *page_up, *page_down, *enter_key;
static rl_voidfunc_t *redisplay_hook;

static unsigned char pending[32];
static size_t pending_count;
static wchar_t fed[2];
static size_t fed_first, fed_end;
static int is_entered, is_literal, has_cleared_screen;
// The rows of the cursor and of the end of the line below the prompt's first, as they were drawn last; computed when
// they are needed, unless something else than the line was drawn.
static int cursor_row, last_row, is_row_known;

// MARK: Text

static wchar_t *widened(const char *text, size_t length) {
  wchar_t *wide = malloc((length + 1) * sizeof *wide);
  size_t count = 0;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  while (length > 0) {
    size_t used = mbrtowc(&wide[count], text, length, &state);
    if (used == 0 || used > length) {
      memset(&state, 0, sizeof state);
      wide[count] = (unsigned char)*text < 0x80 ? (unsigned char)*text : STRAY((unsigned char)*text);
      used = 1;
    }
    count++;
    text += used;
    length -= used;
  }
  wide[count] = L'\0';
  return wide;
}

static size_t encoded(wchar_t character, char *bytes) {
  if (character > 0 && character < 0x80) {
    *bytes = (char)character;
    return 1;
  }
  if (IS_STRAY(character)) {
    *bytes = (char)(character & 0xFF);
    return 1;
  }
  mbstate_t state;
  memset(&state, 0, sizeof state);
  size_t length = wcrtomb(bytes, character, &state);
  if (length != (size_t)-1) return length;
  *bytes = '?';
  return 1;
}

static size_t encoded_length(const wchar_t *first, const wchar_t *end) {
  char bytes[MB_LEN_MAX];
  size_t length = 0;
  for (; first < end; first++)
    length += *first > 0 && *first < 0x80 ? 1 : encoded(*first, bytes);
  return length;
}

static int columns_of(wchar_t character) {
  int columns = wcwidth(character);
  // As libedit draws them: a control character as ^X, others that cannot be printed as \U+XXXX.
  if (columns >= 0) return columns;
  if (character < 0x20 || character == 0x7F) return 2;
  return character > 0xFFFF ? 8 : 7;
}

int creadline_width(const char *text) {
  wchar_t *wide = widened(text, strlen(text));
  int width = 0;
  for (wchar_t *place = wide; *place != L'\0'; place++) width += columns_of(*place);
  free(wide);
  return width;
}

// MARK: The line

// libedit's own line, which may be written to.
static LineInfoW *current_line(void) { return (LineInfoW *)(void *)el_wline(line_editor); }

static void empty_line(void) {
  LineInfoW *line = current_line();
  int count = (int)(line->lastchar - line->buffer);
  line->cursor = line->lastchar;
  if (count > 0) el_deletestr(line_editor, count);
}

static void insert_wide(const wchar_t *wide) {
  if (*wide != L'\0') el_winsertstr(line_editor, wide);
}

int creadline_end(void) {
  if (line_editor == NULL) return 0;
  const LineInfoW *line = current_line();
  return (int)encoded_length(line->buffer, line->lastchar);
}

int creadline_point(void) {
  if (line_editor == NULL) return 0;
  const LineInfoW *line = current_line();
  return (int)encoded_length(line->buffer, line->cursor);
}

void creadline_set_point(int point) {
  if (line_editor == NULL) return;
  LineInfoW *line = current_line();
  const wchar_t *place = line->buffer;
  char bytes[MB_LEN_MAX];
  for (int passed = 0; place < line->lastchar && passed < point; place++)
    passed += (int)encoded(*place, bytes);
  line->cursor = place;
}

const char *creadline_buffer(void) {
  static char *text;
  static size_t capacity;
  size_t needed = 1;
  const LineInfoW *line = line_editor == NULL ? NULL : current_line();
  if (line != NULL) needed += (size_t)(line->lastchar - line->buffer) * MB_LEN_MAX;
  if (needed > capacity) {
    free(text);
    capacity = needed * 2;
    text = malloc(capacity);
  }
  size_t length = 0;
  if (line != NULL)
    for (const wchar_t *place = line->buffer; place < line->lastchar; place++)
      length += encoded(*place, text + length);
  text[length] = '\0';
  return text;
}

void ceditline_insert(const char *text) {
  if (line_editor == NULL) return;
  wchar_t *wide = widened(text, strlen(text));
  insert_wide(wide);
  free(wide);
}

void ceditline_replace(const char *text) {
  if (line_editor == NULL) return;
  empty_line();
  ceditline_insert(text);
}

// MARK: Drawing

static char *prompt_of(EditLine *editor) { return prompt_text == NULL ? (char *)"" : prompt_text; }

static void advance(wchar_t character, int *row, int *column) {
  if (character == L'\n') {
    (*row)++;
    *column = 0;
    return;
  }
  int columns = character == L'\t' ? 8 - *column % 8 : columns_of(character);
  if (*column + columns > screen_columns) {
    (*row)++;
    *column = 0;
  }
  *column += columns;
  if (*column >= screen_columns) {
    (*row)++;
    *column = 0;
  }
}

// Computes where the cursor is after the line was drawn.
static void find_cursor(void) {
  int row = 0, column = 0;
  wchar_t *prompt = widened(prompt_of(NULL), strlen(prompt_of(NULL)));
  for (wchar_t *place = prompt; *place != L'\0'; place++) advance(*place, &row, &column);
  free(prompt);
  const LineInfoW *line = current_line();
  for (const wchar_t *place = line->buffer; place < line->lastchar; place++) {
    if (place == line->cursor) cursor_row = row;
    advance(*place, &row, &column);
  }
  if (line->cursor == line->lastchar) cursor_row = row;
  last_row = row < screen_rows ? row : screen_rows - 1;
  if (cursor_row > last_row) cursor_row = last_row;
  is_row_known = 1;
}

static void feed(wchar_t character) {
  fed[0] = character;
  fed_first = 0;
  fed_end = 1;
  int count;
  while (fed_first < fed_end) el_wgets(line_editor, &count);
}

// Only what differs from the screen is written.
void ceditline_redisplay(void) {
  if (line_editor == NULL) return;
  feed(KEY_REFRESH);
  is_row_known = 0;
}

// The line is drawn at the cursor, which is at the start of a row.
void ceditline_draw_again(void) {
  if (line_editor == NULL) return;
  el_set(line_editor, EL_REFRESH);
  is_row_known = 0;
  if (redisplay_hook != NULL && wmemchr(current_line()->buffer, L'\n',
          (size_t)(current_line()->lastchar - current_line()->buffer)) != NULL)
    redisplay_hook();
}

void creadline_draw(char *text, int length, int point) {
  if (line_editor == NULL) return;
  int at = creadline_point();
  char *saved = strdup(creadline_buffer());
  char *shown = strndup(text, (size_t)length);
  ceditline_replace(shown);
  creadline_set_point(point);
  ceditline_redisplay();
  find_cursor();
  ceditline_replace(saved);
  creadline_set_point(at);
  free(shown);
  free(saved);
}

void creadline_clear_visible_line(void) {
  if (line_editor == NULL) return;
  if (!is_row_known) find_cursor();
  char *erase = NULL;
  el_get(line_editor, EL_GETTC, "ce", &erase);
  if (erase == NULL || *erase == '\0') {
    // A terminal that can only print: the row is overwritten.
    fprintf(output, "\r%*s\r", screen_columns - 1, "");
    cursor_row = last_row = 0;
    return;
  }
  // Row by row: below the last one are rows of the program.
  if (last_row > cursor_row) fprintf(output, "\033[%dB", last_row - cursor_row);
  fputs("\r\033[K", output);
  for (int row = last_row; row > 0; row--) fputs("\033[A\033[K", output);
  cursor_row = last_row = 0;
  is_row_known = 1;
}

void creadline_list(char **candidates, int count, int width) {
  int point = creadline_point();
  creadline_move_to_end();
  ceditline_redisplay();
  rl_crlf();
  int limit = width + 2, columns = screen_columns / limit > 0 ? screen_columns / limit : 1;
  int rows = (count + columns - 1) / columns;
  for (int row = 0; row < rows; row++) {
    int written = 0;
    for (int index = row; index < count; index += rows) {
      fprintf(output, "%*s%s", written, "", candidates[index + 1]);
      written = limit - creadline_width(candidates[index + 1]);
    }
    rl_crlf();
  }
  creadline_set_point(point);
  ceditline_draw_again();
}

void ceditline_set_prompt(const char *prompt) {
  char *copy = strdup(prompt);
  free(prompt_text);
  prompt_text = copy;
}

void creadline_set_screen_size(int rows, int columns) {
  screen_rows = rows;
  screen_columns = columns;
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  if (decoy >= 0) ioctl(decoy, TIOCSWINSZ, &size);
  if (line_editor != NULL) el_resize(line_editor);
}

int creadline_has_cleared_screen(void) {
  int result = has_cleared_screen;
  has_cleared_screen = 0;
  return result;
}

// MARK: Keys

static int next_character(EditLine *editor, wchar_t *character) {
  if (fed_first < fed_end) {
    *character = fed[fed_first++];
    return 1;
  }
  // A command that reads on its own; none of those that are bound does.
  int byte = get_byte == NULL ? EOF : get_byte(stdin);
  if (byte == EOF) return 0;
  *character = (wchar_t)byte;
  return 1;
}

static unsigned char refresh(EditLine *editor, int key) { return CC_REFRESH; }

static void bind_key(const char *key, const char *command) {
  el_set(line_editor, EL_BIND, key, command, NULL);
}

static void bind_keys(void) {
  el_set(line_editor, EL_EDITOR, "emacs");
  el_set(line_editor, EL_ADDFN, "reactor-refresh", "draw the line", refresh);
  // A character whose number is small is a character, and not Meta with a letter.
  for (int number = 0x80; number < 0x100; number++) {
    char key[8];
    snprintf(key, sizeof key, "\\%03o", number);
    bind_key(key, "ed-insert");
  }
  bind_key("\\034", "reactor-refresh");
  bind_key("\\035", "ed-delete-next-char");
  // As in readline, as far as libedit has it without reading further keys by itself.
  bind_key("^R", "ed-search-prev-history");
  bind_key("^U", "vi-kill-line-prev");
  bind_key("^W", "ed-delete-prev-word");
  bind_key("^O", "ed-unassigned");
  bind_key("^Q", "ed-unassigned");
  bind_key("^G", "ed-unassigned");
  bind_key("^X", "ed-unassigned");
  bind_key("^_", "ed-unassigned");
  bind_key("^@", "ed-unassigned");
}

static int open_line_editor(void) {
  if (line_editor != NULL) return 1;
  decoy_master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (decoy_master < 0 || grantpt(decoy_master) != 0 || unlockpt(decoy_master) != 0) return 0;
  decoy = open(ptsname(decoy_master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (decoy < 0) return 0;
  creadline_set_screen_size(screen_rows, screen_columns);
  // What it says about an unknown terminal is for nobody.
  static FILE *silence;
  if (silence == NULL) silence = fopen("/dev/null", "w");
  line_editor = el_init_fd(
      "reactor", stdin, output, silence, decoy, output_descriptor, fileno(silence));
  if (line_editor == NULL) return 0;
  el_set(line_editor, EL_SIGNAL, 0);
  el_set(line_editor, EL_PROMPT, prompt_of);
  el_set(line_editor, EL_GETCFN, next_character);
  bind_keys();
  if (past != NULL) el_set(line_editor, EL_HIST, history, past);
  return 1;
}

// A letter after Meta: what libedit does by itself, without reading further keys.
static void type_meta(unsigned char key) {
  static const char known[] = "bBfFdDuUlLcC\b\177";
  if (memchr(known, key, sizeof known - 1) == NULL) return el_beep(line_editor);
  fed[0] = 033;
  fed[1] = key;
  fed_first = 0;
  fed_end = 2;
  int count;
  while (fed_first < fed_end) el_wgets(line_editor, &count);
}

static void type_sequence(const char *sequence) {
  static const struct { const char *sequence; wchar_t key; } known[] = {
    {"A", 'P' & 0x1F}, {"B", 'N' & 0x1F}, {"C", 'F' & 0x1F}, {"D", 'B' & 0x1F},
    {"H", 'A' & 0x1F}, {"F", 'E' & 0x1F}, {"1~", 'A' & 0x1F}, {"7~", 'A' & 0x1F},
    {"4~", 'E' & 0x1F}, {"8~", 'E' & 0x1F}, {"3~", KEY_DELETE},
  };
  if (strcmp(sequence, "5~") == 0 && page_up != NULL) return (void)page_up(1, 0);
  if (strcmp(sequence, "6~") == 0 && page_down != NULL) return (void)page_down(1, 0);
  if (strcmp(sequence, "1;5C") == 0 || strcmp(sequence, "1;3C") == 0) return type_meta('f');
  if (strcmp(sequence, "1;5D") == 0 || strcmp(sequence, "1;3D") == 0) return type_meta('b');
  for (size_t index = 0; index < sizeof known / sizeof *known; index++)
    if (strcmp(sequence, known[index].sequence) == 0) return feed(known[index].key);
}

static void complete(void) {
  int point = creadline_point();
  char **matches = complete_line == NULL ? NULL : complete_line(creadline_buffer(), 0, point);
  if (matches == NULL || matches[0] == NULL) {
    free(matches);
    return el_beep(line_editor);
  }
  int count = 0;
  LineInfoW *line = current_line();
  int before = (int)(line->cursor - line->buffer);
  if (before > 0) el_deletestr(line_editor, before);
  ceditline_insert(matches[0]);
  ceditline_redisplay();
  while (matches[count] != NULL) count++;
  if (count > 2 && list_candidates != NULL) list_candidates(matches, count - 1, 0);
  for (int index = 0; index < count; index++) free(matches[index]);
  free(matches);
}

int ceditline_newline(int count, int key) {
  is_entered = 1;
  return 0;
}

static void end_line(int hasText) {
  char *text = NULL;
  if (hasText) {
    creadline_move_to_end();
    ceditline_redisplay();
    rl_crlf();
    text = strdup(creadline_buffer());
  }
  empty_line();
  rl_vcpfunc_t *handler = line_handler;
  if (handler != NULL) handler(text); else free(text);
}

static void type_character(wchar_t character) {
  if (is_literal) {
    wchar_t text[2] = {character, L'\0'};
    is_literal = 0;
    insert_wide(text);
    return ceditline_redisplay();
  }
  switch (character) {
    case '\r': case '\n':
      is_entered = 0;
      if (enter_key == NULL) is_entered = 1; else enter_key(1, (int)character);
      if (is_entered) end_line(1);
      return;
    case '\t': return complete();
    case 'D' & 0x1F:
      if (creadline_end() == 0) return end_line(0);
      return feed(KEY_DELETE);
    case 'V' & 0x1F:
      is_literal = 1;
      return;
    case 'L' & 0x1F:
      has_cleared_screen = 1;
      return feed(character);
    case KEY_REFRESH: case KEY_DELETE: return el_beep(line_editor);
    default: return feed(character);
  }
}

// How many bytes a character has, by its first.
static size_t length_of(unsigned char first) {
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1;
}

// Whether the bytes of a key have all arrived.
static int is_whole(void) {
  if (pending_count == sizeof pending) return 1;
  if (pending[0] != 033 || is_literal) return pending_count >= length_of(pending[0]);
  if (pending_count < 2) return 0;
  unsigned char last = pending[pending_count - 1];
  switch (pending[1]) {
    case '[': return pending_count > 2 && last >= 0x40 && last <= 0x7E;
    case 'O': return pending_count > 2;
    default: return 1;
  }
}

static void type_pending(void) {
  size_t count = pending_count;
  char bytes[sizeof pending + 1];
  memcpy(bytes, pending, count);
  bytes[count] = '\0';
  pending_count = 0;
  if (bytes[0] == 033 && !is_literal) {
    if (count > 2) type_sequence(bytes + 2); else type_meta((unsigned char)bytes[1]);
  } else {
    wchar_t *wide = widened(bytes, count);
    // Several are bytes that belong to no character.
    for (wchar_t *place = wide; *place != L'\0'; place++) type_character(*place);
    if (bytes[0] == '\0') type_character(L'\0');
    free(wide);
  }
}

void ceditline_read_char(void) {
  int byte = get_byte(stdin);
  if (line_editor == NULL || byte == EOF) return;
  // The character before this byte is not complete, and will not be.
  if (pending_count > 0 && pending[0] != 033 && (byte & 0xC0) != 0x80) type_pending();
  pending[pending_count++] = (unsigned char)byte;
  if (!is_whole()) return;
  type_pending();
  if (line_handler == NULL || line_editor == NULL) return;
  is_row_known = 0;
  const LineInfoW *line = current_line();
  if (redisplay_hook != NULL
      && wmemchr(line->buffer, L'\n', (size_t)(line->lastchar - line->buffer)) != NULL)
    redisplay_hook();
}

void creadline_abandon_line(void) {
  pending_count = 0;
  is_literal = 0;
}

// MARK: Setting up

void ceditline_install(const char *prompt, rl_vcpfunc_t *handler) {
  ceditline_set_prompt(prompt);
  line_handler = handler;
  pending_count = 0;
  is_literal = 0;
  if (start_line != NULL) start_line();
  if (!open_line_editor()) return;
  // A new line: at its own start, with the newest entry of the history after it. This draws the prompt.
  el_set(line_editor, EL_UNBUFFERED, 0);
  el_set(line_editor, EL_UNBUFFERED, 1);
  is_row_known = 0;
}

void ceditline_remove(void) { line_handler = NULL; }

void creadline_set_hooks(
    creadline_hook_t start, creadline_getc_t getc, creadline_hook_t available,
    creadline_completion_t complete, creadline_listing_t list) {
  start_line = start;
  get_byte = getc;
  complete_line = complete;
  list_candidates = list;
}

void creadline_bind_pages(rl_command_func_t *up, rl_command_func_t *down) {
  page_up = up;
  page_down = down;
}

void creadline_bind_paste_keys(rl_command_func_t *mark, rl_command_func_t *enter) {
  enter_key = enter;
}

void creadline_set_redisplay(rl_voidfunc_t *redisplay) { redisplay_hook = redisplay; }

static void hold(const char *bytes, size_t count) {
  if (held_count + count > held_capacity) {
    held_capacity = (held_count + count) * 2;
    held = realloc(held, held_capacity);
  }
  memcpy(held + held_count, bytes, count);
  held_count += count;
}

#ifdef __APPLE__
static int hold_output(void *cookie, const char *bytes, int count) {
  hold(bytes, (size_t)count);
  return count;
}

static FILE *holding_stream(void) { return funopen(NULL, NULL, hold_output, NULL, NULL); }
#else
static ssize_t hold_output(void *cookie, const char *bytes, size_t count) {
  hold(bytes, count);
  return (ssize_t)count;
}

static FILE *holding_stream(void) {
  cookie_io_functions_t functions = {.write = hold_output};
  return fopencookie(NULL, "w", functions);
}
#endif

int creadline_open_output(int descriptor) {
  int copy = dup(descriptor);
  FILE *stream = copy < 0 ? NULL : holding_stream();
  if (stream == NULL) return 0;
  output_descriptor = copy;
  held_count = 0;
  output = stream;
  page_up = page_down = NULL;
  return 1;
}

void creadline_close_output(void) {
  if (line_editor != NULL) el_end(line_editor);
  line_editor = NULL;
  if (decoy >= 0) close(decoy);
  if (decoy_master >= 0) close(decoy_master);
  decoy = decoy_master = -1;
  creadline_flush();
  fclose(output);
  close(output_descriptor);
  output_descriptor = -1;
  output = stdout;
}

void creadline_write(const void *bytes, size_t count) { fwrite(bytes, 1, count, output); }

void creadline_flush(void) {
  fflush(output);
  size_t written = 0;
  while (written < held_count) {
    ssize_t count = write(output_descriptor, held + written, held_count - written);
    if (count > 0) {
      written += (size_t)count;
    } else if (errno == EAGAIN) {
      struct pollfd wait = {.fd = output_descriptor, .events = POLLOUT};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      break;
    }
  }
  held_count = 0;
}

// MARK: History

void ceditline_stifle_history(int size) {
  HistEvent event;
  if (past == NULL) past = history_init();
  if (past == NULL) return;
  history(past, &event, H_SETSIZE, size);
  history(past, &event, H_SETUNIQUE, 1);
}

void ceditline_add_history(const char *line) {
  HistEvent event;
  if (past != NULL) history(past, &event, H_ENTER, line);
}

void ceditline_clear_history(void) {
  HistEvent event;
  if (past != NULL) history(past, &event, H_CLEAR);
}

// MARK: Signals

int creadline_handle_signal(int number, void (*handler)(int), int once, struct sigaction *old) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | (once ? SA_RESETHAND : 0);
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, old);
}

int creadline_is_default(const struct sigaction *action) { return action->sa_handler == SIG_DFL; }

#endif
